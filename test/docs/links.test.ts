import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { routes } from '../../api/routes.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Record<string, string> };

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Links within the project, as `page: file#anchor`. */
const links = pages.flatMap(({ file, text }) =>
  found(text, /\]\(([^)\s]+)/g)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .map((link) => ({
      page: file,
      link,
      path: link.startsWith('#') ? file : join(dirname(file), link.split('#')[0] ?? ''),
    })),
);

test('every file that a page links to is there', (t) => {
  t.true(links.length > 50);
  t.deepEqual(
    links.filter(({ path }) => !existsSync(path)),
    [],
  );
});

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

test('every heading that a page links to is there', (t) => {
  const anchors = new Map(
    pages.map(({ file, text }) => [
      file,
      new Set([...found(text, /^#+ (.+)$/gm).map(anchorOf), ...found(text, /<a id="([^"]+)">/g)]),
    ]),
  );
  t.deepEqual(
    links.filter(({ link, path }) => {
      const [, anchor] = link.split('#');
      return anchor !== undefined && anchors.get(path)?.has(anchor) === false;
    }),
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
  t.true(names.length > 10);
  t.deepEqual(
    names.filter((name) => scripts[name] === undefined),
    [],
  );
});

test('every route that the page on webhooks names is one', (t) => {
  const page = readFileSync('docs/reference/webhooks.md', 'utf8');
  const named = [...page.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)/g)].map(
    ([, method = '', path = '']) => `${method.toLowerCase()} ${path}`,
  );
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  t.true(named.length > 5);
  t.deepEqual(
    named.filter((route) => !known.has(route)),
    [],
  );
});
