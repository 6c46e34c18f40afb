import test from 'ava';

import { sourceFiles } from './source-files.ts';

test('every file is named in kebab-case, so that its path can be guessed from its main export', async (t) => {
  const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.(ts|tsx|mjs)$/;
  // The generator of the client has names of its own.
  const named = (await sourceFiles()).filter((path) => !path.startsWith('client/generated/'));
  const badNames = named.filter((path) => !kebabCase.test(path.slice(path.lastIndexOf('/') + 1)));
  t.deepEqual(badNames, []);
});

test('no drawer is called utils, helpers or common: such a name says nothing about what is inside', async (t) => {
  const drawer = /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.(ts|tsx|mjs)$)/;
  t.deepEqual(
    (await sourceFiles()).filter((path) => drawer.test(path)),
    [],
  );
});
