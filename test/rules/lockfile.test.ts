import { readFile } from 'node:fs/promises';

import test from 'ava';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Where Node would find `name` from the package at `path`: its own folder first, then each one above. */
function findLocked(path: string, name: string): LockedPackage | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

// npm leaves out, without a word, what the registry did not offer at that moment; `npm ci` then refuses the lock on every machine.
test('the lock names the packages of every platform, or nobody could install from it', (t) => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => findLocked(path, name)?.version === undefined)
      .map((name) => `${path} → ${name}`),
  );
  t.deepEqual(missing, []);
});

test('the lock holds no addresses, so that it installs from any registry', (t) => {
  t.deepEqual(
    Object.entries(lock.packages)
      .filter(([, { resolved }]) => resolved?.startsWith('http') === true)
      .map(([path]) => path),
    [],
  );
});
