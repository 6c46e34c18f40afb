import { join } from 'node:path';
import { groupBy } from '../../../core/group-by.ts';
import { run } from '../run.ts';
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

/** Runs the product with one planted mistake after the other. Gives the names of those that the checker did not find. */
export async function selfTest(options: SelfTestOptions): Promise<string[]> {
  const missed: string[] = [];
  for (const mutant of mutants) if (!(await isFound(options, mutant))) missed.push(mutant.name);
  return missed;
}

async function isFound({ seed, folder, productFolder, log }: SelfTestOptions, mutant: Mutant): Promise<boolean> {
  const place = mutant.name.replaceAll(' ', '-');
  // Beside the compiled product, where its packages are found, too.
  const planted = `${productFolder}-${place}`;
  plant(productFolder, planted, mutant);
  log(`\nplanted: ${mutant.name}`);
  const { plan, actors } = mutant;
  const options = {
    seed,
    durationMs,
    restWithinMs,
    plan,
    actors,
    log,
    folder: join(folder, place),
    productFolder: planted,
  };
  const { violations } = await run(options);
  const kinds = groupBy(violations, ({ kind }) => kind);
  for (const [kind, own] of kinds)
    log(`  found ${own.length} × ${kind}, such as ${own[0]?.id ?? ''}: ${own[0]?.message ?? ''}`);
  const wasFound = kinds.has(mutant.expected);
  log(`${wasFound ? '✓' : '✗'} ${mutant.name}: ${mutant.expected} ${wasFound ? 'found' : 'NOT found'}`);
  return wasFound;
}
