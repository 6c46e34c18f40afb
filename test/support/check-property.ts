import type { ExecutionContext } from 'ava';
import fc from 'fast-check';

/** The same cases in every run of `npm test`. `npm run verify -- random` draws another seed, and RANDOM_SEED repeats one. */
export const randomSeed = Number(process.env['RANDOM_SEED'] ?? '1');

/** How many cases are tried: RANDOM_TIMES as many as the test says. */
export const randomRuns = (runs: number): number => runs * Number(process.env['RANDOM_TIMES'] ?? '1');

type Parameters<Case> = Omit<fc.Parameters<Case>, 'seed'>;

/**
 * The property holds for the drawn cases, and for `examples`: those for which it once did not. What fails is logged as the shortest
 * case that was found, because ava shows the first one alone.
 */
export async function checkProperty<Case>(
  t: Pick<ExecutionContext, 'log' | 'pass' | 'title'>,
  property: fc.IRawProperty<Case>,
  { numRuns = 100, examples = [], ...others }: Parameters<Case> = {},
): Promise<void> {
  const runs = randomRuns(numRuns) + examples.length;
  const details = await fc.check(property, { ...others, seed: randomSeed, numRuns: runs, examples });
  if (!details.failed) {
    t.pass();
    return;
  }
  const report = `${howToRepeat(t.title)}\n${fc.defaultReportMessage(details) ?? ''}`;
  t.log(report);
  throw new Error(report, { cause: details.errorInstance });
}

/** Cases for a test that tries all of them at once, as one file or in one run of another program. */
export const drawCases = <Case>(cases: fc.Arbitrary<Case>, runs: number): Case[] =>
  fc.sample(cases, { numRuns: randomRuns(runs), seed: randomSeed });

/** Of a title as `test/runner` gives it: the name of the file, and what the test says. */
export function howToRepeat(title: string, seed = randomSeed): string {
  const times = process.env['RANDOM_TIMES'] === undefined ? '' : `RANDOM_TIMES=${process.env['RANDOM_TIMES']} `;
  return `${times}RANDOM_SEED=${seed} npm test -- test/${title.split(' › ')[0]}.test.ts`;
}
