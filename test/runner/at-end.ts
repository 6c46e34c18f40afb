type End = () => Promise<void>;

let ends: End[] | undefined;

/** Is called when all files of this process have ended. Returns false, and calls nothing, where one file runs without the others. */
export function atEnd(end: End): boolean {
  ends?.push(end);
  return ends !== undefined;
}

/** For the runner: from now on {@link atEnd} takes what is to end. */
export function beginProcess(): readonly End[] {
  ends = [];
  return ends;
}

type Check = () => Error | undefined;
const checks = new Set<Check>();

/** Is called after each test file. What it returns fails the file. */
export const afterEachFile = (check: Check): void => void checks.add(check);

/** For the runner: the first thing that is wrong after a file. */
export const wrongAfterFile = (): Error | undefined =>
  [...checks].map((check) => check()).find((wrong) => wrong !== undefined);
