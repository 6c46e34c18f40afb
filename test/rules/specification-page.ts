import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../../features/rules/group-by.ts';
import { repositoryRoot, sourceFiles } from './source-files.ts';

const rowsPath = 'test/rules/specification-rows.md';

interface Section {
  readonly heading: string;
  readonly rows: readonly { readonly name: string; readonly text: string }[];
}

/** What the specification asks for, row by row. */
export const readSections = (): Section[] =>
  readFileSync(join(repositoryRoot, rowsPath), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.slice(0, section.indexOf('\n')),
      rows: [...section.matchAll(/^\| ([a-z0-9-]+) \| (.+) \|$/gm)]
        .map(([, name = '', text = '']) => ({ name, text }))
        .filter(({ name }) => name !== 'name'),
    }));

export interface Proof {
  readonly row: string;
  readonly file: string;
  /** `…` stands for what a loop fills in. */
  readonly title: string;
}

/** Tests with a comment `// specification: row, row` above them. */
export const readProofs = async (): Promise<Proof[]> => (await testFiles()).flatMap(proofsIn);

const testFiles = async (): Promise<string[]> =>
  (await sourceFiles()).filter((path) => /^(test|verification)\/.*\.test\.ts$/.test(path)).toSorted();

const tagged = /((?:^ *\/\/ specification: .+\n)+) *(?:for \(.+\n *)?test(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\2).)*)\2/gm;

function proofsIn(file: string): Proof[] {
  const source = readFileSync(join(repositoryRoot, file), 'utf8');
  return [...source.matchAll(tagged)].flatMap(([, tags = '', , title = '']) =>
    namesIn(tags).map((row) => ({ row, file, title: plainTitle(title) })),
  );
}

const namesIn = (tags: string): string[] =>
  [...tags.matchAll(/\/\/ specification: (.+)/g)].flatMap(([, names = '']) => names.split(', '));

const plainTitle = (title: string): string =>
  title
    .replaceAll(/\$\{[^}]*\}/g, '…')
    .replaceAll(/\\(['"`\\])/g, '$1')
    .replaceAll('|', String.raw`\|`);

/** All comments of this kind, also those that no test follows. */
export const countTags = async (): Promise<number> =>
  (await testFiles())
    .map((file) => readFileSync(join(repositoryRoot, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/^ *\/\/ specification: (.+)/gm)])
    .reduce((sum, [, names = '']) => sum + names.split(', ').length, 0);

/** Every row with its tests. */
export async function specificationPage(): Promise<string> {
  const proofs = groupBy(await readProofs(), ({ row }) => row);
  const lines = ({ heading, rows }: Section): string[] => [
    `## ${heading}`,
    '',
    '| row | proof |',
    '|---|---|',
    ...rows.map(({ name, text }) => `| ${text} | ${(proofs.get(name) ?? []).map(shown).join('<br>')} |`),
    '',
  ];
  return `${[head, ...readSections().flatMap(lines)].join('\n').trimEnd()}\n`;
}

const shown = ({ file, title }: Proof): string => `\`${file}\` › ${title}`;

const head = `<!-- Written by \`npm run evidence -- specification\` from ${rowsPath} and the comments \`// specification: …\` above the tests. -->
# What of the specification is proved where
`;
