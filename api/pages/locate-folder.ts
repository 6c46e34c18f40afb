import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Finds a folder beside api/, also when this file runs from a build folder inside the project. */
export function locateFolder(name: string): string {
  const candidates = ['../../', '../../../'].map((up) => join(fileURLToPath(new URL(up, import.meta.url)), name));
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`the folder ${name} is missing: looked in ${candidates.join(' and ')}`);
  return found;
}
