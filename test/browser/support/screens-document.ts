import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join('docs', 'evidence', 'screens.md');
/** Puts what was measured, as Markdown, between the marks of its part in docs/evidence/screens.md. Throws when the page has lost them. */
export function writeMeasuredPart(name: string, markdown: string): void {
  const begin = `<!-- measured ${name}: begin -->`;
  const end = `<!-- measured ${name}: end -->`;
  const document = readFileSync(file, 'utf8');
  const [before, after] = [document.indexOf(begin), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${file} has lost the marks of its part ${name}`);
  const kept = document.slice(0, before + begin.length);
  writeFileSync(file, `${kept}\n\n${markdown.trim()}\n\n${document.slice(after)}`);
}
