import { join } from 'node:path';
import { groupBy } from '../../../features/rules/group-by.ts';
import { run, type RunResult } from '../run.ts';
import { mutants, plant, type Mutant } from './mutants.ts';

export interface SelfTestOptions {
  readonly seed: number;
  readonly folder: string;
  readonly productFolder: string;
  readonly log: (line: string) => void;
}

const durationMs = 40_000;
/** A mistake may keep it from ever coming to rest, and shows before. */
const restWithinMs = 60_000;

/** Runs the product with one planted mistake after the other, and without it. Gives the names of those that the checker did not find, or found in what is sound. */
export async function selfTest(options: SelfTestOptions): Promise<string[]> {
  const missed: string[] = [];
  for (const mutant of mutants) {
    if (!(await isFound(options, mutant))) missed.push(mutant.name);
    if (!(await isCleanWithout(options, mutant))) missed.push(`that the product is sound without: ${mutant.name}`);
  }
  return missed;
}

/** The same load and faults on the product as it is: what the mistake caused must not be there. */
async function isCleanWithout(options: SelfTestOptions, mutant: Mutant): Promise<boolean> {
  const { log, productFolder } = options;
  log(`\nwithout: ${mutant.name}`);
  const { violations, restMs } = await runPlan(options, mutant, { place: `without-${placeOf(mutant)}`, productFolder });
  // Work that is only late on this machine says nothing about the mistake.
  const own = violations.filter(({ kind }) => restMs !== null || kind === mutant.expected);
  for (const { kind, id, message } of own) log(`  found ${kind} ${id}: ${message}`);
  log(`${own.length === 0 ? '✓' : '✗'} without ${mutant.name}: ${own.length} violations`);
  return own.length === 0;
}

const placeOf = ({ name }: Mutant): string => name.replaceAll(' ', '-');

const runPlan = (
  { seed, folder, log }: SelfTestOptions,
  { plan, actors }: Mutant,
  { place, productFolder }: { place: string; productFolder: string },
): Promise<RunResult> =>
  run({ seed, durationMs, restWithinMs, plan, actors, log, folder: join(folder, place), productFolder });

async function isFound(options: SelfTestOptions, mutant: Mutant): Promise<boolean> {
  const { productFolder, log } = options;
  const place = placeOf(mutant);
  // Beside the compiled product, where its packages are found, too.
  const beside = `${productFolder}-${place}`;
  plant(productFolder, beside, mutant);
  log(`\nplanted: ${mutant.name}`);
  const { violations } = await runPlan(options, mutant, { place, productFolder: beside });
  const kinds = groupBy(violations, ({ kind }) => kind);
  for (const [kind, own] of kinds)
    log(`  found ${own.length} × ${kind}, such as ${own[0]?.id ?? ''}: ${own[0]?.message ?? ''}`);
  const wasFound = kinds.has(mutant.expected);
  log(`${wasFound ? '✓' : '✗'} ${mutant.name}: ${mutant.expected} ${wasFound ? 'found' : 'NOT found'}`);
  return wasFound;
}
