import { setTimeout as pause } from 'node:timers/promises';

/** Time in ms by a clock that all processes of a machine share and that is never set; its zero means nothing. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1_000_000;

/**
 * Begins so many calls a second until it `isOver`, however long each takes, so that a service that stands still is felt by all that come
 * meanwhile. Gives how long each took since it was due, in ms. Rejects at the end when one has failed.
 */
export async function atPace(
  perSecond: number,
  isOver: (turn: number) => boolean,
  work: (turn: number) => Promise<void>,
): Promise<number[]> {
  const startedAt = sharedNow();
  const took: number[] = [];
  const failures: unknown[] = [];
  const begun: Promise<void>[] = [];
  for (let turn = 0; !isOver(turn); turn += 1) {
    const dueAt = startedAt + (turn * 1_000) / perSecond;
    await pause(Math.max(0, dueAt - sharedNow()));
    const note = (): void => void took.push(sharedNow() - dueAt);
    begun.push(work(turn).then(note, (error: unknown) => void failures.push(error)));
  }
  await Promise.all(begun);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${begun.length} calls failed`);
  return took;
}
