import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

/** A test that a page names: `file` › title. */
export interface NamedProof {
  readonly file: string;
  readonly title: string;
}

/** The rows of the tables of a page, without their headings. */
export const tableRows = (page: string): string[] =>
  page.split('\n').filter((line) => /^\|(?! (?:row|place) \||---)/.test(line));

/** The tests that the cells of a row name, from the column `from` on; `proof` is a text that names none. */
export const proofsOf = (row: string, from: number): (NamedProof | { readonly proof: string })[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .slice(from)
    .flatMap((cell) => cell.split('<br>'))
    .map((proof) => {
      const { file, title } =
        /^\s*`(?<file>(?:test|verification)\/[\w./-]+\.test\.ts)` › (?<title>.+?)\s*$/.exec(proof)?.groups ?? {};
      return file === undefined || title === undefined ? { proof } : { file, title };
    });

export function isThere({ file, title }: NamedProof): boolean {
  if (!existsSync(join(repositoryRoot, file))) return false;
  const plain = title.replaceAll(String.raw`\|`, '|');
  return titlesIn(file).some((pattern) => pattern.test(plain));
}

/** The titles in a file, as patterns: what a template fills in may be anything. */
function titlesIn(file: string): RegExp[] {
  const source = readFileSync(join(repositoryRoot, file), 'utf8');
  const calls = source.matchAll(/\btest(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return [...calls].map(([, , title = '']) => {
    const parts = title.replaceAll(/\\(['"`\\])/g, '$1').split(/\$\{[^}]*\}/);
    return new RegExp(
      `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*')}$`,
      's',
    );
  });
}
