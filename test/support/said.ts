interface Said {
  readonly field: string;
  readonly message: string;
}

/** Field and sentence of each problem or warning. */
export const said = (problems: readonly Said[]): Said[] => problems.map(({ field, message }) => ({ field, message }));
