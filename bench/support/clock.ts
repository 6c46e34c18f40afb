/** Time in ms by a clock that all processes of a machine share, and that nobody sets while it runs; its zero means nothing. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1_000_000;
