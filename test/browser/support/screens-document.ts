import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join('docs', 'evidence', 'screens.md');

/** Parts of docs/evidence/screens.md that programs write; the rest is written by hand. */
export type ScreensPart = 'measured' | 'pictures';

/** Puts Markdown between the marks of its part. Throws when the document has lost them. */
export function writeScreensPart(part: ScreensPart, markdown: string): void {
  const [begin, end] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`];
  const document = readFileSync(file, 'utf8');
  const [before, after] = [document.indexOf(begin), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${file} has no place for its part "${part}"`);
  const kept = document.slice(0, before + begin.length);
  writeFileSync(file, `${kept}\n\n${markdown.trim()}\n\n${document.slice(after)}`);
}
