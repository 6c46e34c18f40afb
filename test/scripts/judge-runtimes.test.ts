import { readFileSync } from 'node:fs';
import test from 'ava';

interface Row {
  readonly part: string;
  readonly runtime: string;
  readonly endOfLife: string;
  readonly moves: string;
}
const file = new URL('../../scripts/judge-runtimes.mjs', import.meta.url).href;
const { judgeRuntimes, imagesOf } = (await import(file)) as {
  judgeRuntimes: (
    images: readonly string[],
    rows: readonly Row[],
    today: string,
  ) => { problems: string[]; warnings: string[] };
  imagesOf: (texts: { compose: string; dockerfile: string; nodes: readonly string[] }) => string[];
};

const { triedNodes } = (await import(new URL('../../scripts/prepare.mjs', import.meta.url).href)) as {
  triedNodes: readonly string[];
};

const { runtimes } = JSON.parse(readFileSync('scripts/versions.json', 'utf8')) as { runtimes: Row[] };
const images = imagesOf({
  compose: readFileSync('docker-compose.yml', 'utf8'),
  dockerfile: readFileSync('Dockerfile', 'utf8'),
  nodes: triedNodes,
});
const node = { part: 'node:24-', runtime: 'Node.js 24', endOfLife: '2028-04-30', moves: 'the maintainers' };
const on = (today: string) => judgeRuntimes(['node:24-slim'], [node], today);

test('a runtime is said 90 days before its end, and fails from the day after it', (t) => {
  t.deepEqual(on('2028-01-30'), { problems: [], warnings: [] });
  for (const day of ['2028-01-31', '2028-04-30']) {
    t.deepEqual(on(day).problems, [], day);
    t.regex(on(day).warnings.join(), /Node\.js 24 \(node:24-slim\) ends on 2028-04-30: the maintainers/);
  }
  t.regex(on('2028-05-01').problems.join(), /Node\.js 24 \(node:24-slim\) ended on 2028-04-30/);
});

test('an image without a row, and a row without an image, are problems', (t) => {
  t.regex(judgeRuntimes(['redis:8-alpine'], [], '2026-11-24').problems.join(), /redis:8-alpine has no row/);
  t.regex(judgeRuntimes([], [node], '2026-11-24').problems.join(), /no image has node:24-/);
});

test("the distribution inside an image ends it, too, and doesn't stand for the runtime", (t) => {
  const bookworm = { part: '-bookworm', runtime: 'Debian 12', endOfLife: '2028-06-30', moves: 'the maintainers' };
  const judged = judgeRuntimes(['node:24-bookworm'], [bookworm], '2028-07-01').problems.join('; ');
  t.regex(judged, /Debian 12 \(node:24-bookworm\) ended/);
  t.regex(judged, /node:24-bookworm has no row/);
});

test('the tests are run on the oldest Node that the product takes, on the one of its image, and each has its end', (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  t.is(`>=${triedNodes[0]}`, `${engines.node}.0`);
  const [, inImage] = /^FROM node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  t.is(triedNodes.at(-1)?.split('.')[0], inImage);
  for (const version of triedNodes) t.true(images.includes(`node:${version}`), version);
});

test('every image of a deployment has a row with an end and an owner, and none has ended when this was written', (t) => {
  t.true(images.length >= 6, images.join());
  t.deepEqual(judgeRuntimes(images, runtimes, '2026-11-24'), { problems: [], warnings: [] });
  for (const { runtime, endOfLife, moves } of runtimes) {
    t.regex(endOfLife, /^\d{4}-\d{2}-\d{2}$/, runtime);
    t.true(moves.length > 10, runtime);
  }
});
