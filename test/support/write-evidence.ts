import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join('build', 'evidence');

/** Evidence is made by commands and kept out of git; docs/evidence.md has the last figures. */
export function writeEvidence(name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, text);
  console.log(`${file} written`);
}
