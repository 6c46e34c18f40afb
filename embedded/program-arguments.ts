import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Node's arguments for a program of this project, whose path starts at the project's folder (`.ts` or `.js`). A source
 * runs as it is, unless the folder `PROGRAM_BUNDLES` has a bundle of it (scripts/bundle-sources.mjs), which starts in a
 * third of the time.
 */
export function programArguments(entry: string): string[] {
  if (!entry.endsWith('.ts')) return [entry];
  const bundles = process.env['PROGRAM_BUNDLES'];
  const bundle = bundles && join(bundles, entry.replace(/\.ts$/, '.mjs'));
  return bundle && existsSync(bundle) ? [bundle] : ['--import=tsx', entry];
}
