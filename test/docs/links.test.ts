import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Record<string, string> };

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

test('every file that a page links to is there', (t) => {
  const links = pages.flatMap(({ file, text }) =>
    found(text, /\]\(([^)#\s]+)/g)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .map((link) => `${file}: ${join(dirname(file), link)}`),
  );
  t.true(links.length > 50);
  t.deepEqual(
    links.filter((link) => !existsSync(link.slice(link.indexOf(' ') + 1))),
    [],
  );
});

test('every test file and script that a page names is there', (t) => {
  const names = pages.flatMap(({ text }) => found(text, /`((?:test|verification|scripts)\/[\w./-]+)`/g));
  t.true(names.length > 50);
  t.deepEqual(
    names.filter((name) => !existsSync(name)),
    [],
  );
});

test('every command of npm that a page names is one', (t) => {
  const names = pages.flatMap(({ text }) => found(text, /npm run ([\w:]+)/g));
  t.true(names.length > 30);
  t.deepEqual(
    names.filter((name) => scripts[name] === undefined),
    [],
  );
});
