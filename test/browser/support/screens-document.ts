import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join('docs', 'evidence', 'screens.md');
const begin = '<!-- measured: begin -->';
const end = '<!-- measured: end -->';

/** Puts what was measured, as Markdown, between its marks in docs/evidence/screens.md. Throws when the page has lost them. */
export function writeMeasuredPart(markdown: string): void {
  const document = readFileSync(file, 'utf8');
  const [before, after] = [document.indexOf(begin), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${file} has lost the marks of its measured part`);
  const kept = document.slice(0, before + begin.length);
  writeFileSync(file, `${kept}\n\n${markdown.trim()}\n\n${document.slice(after)}`);
}
