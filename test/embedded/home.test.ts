import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createFolders, locateHome } from '../../embedded/home.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('the folder of npm start is closed to other users, also one that was open before', (t) => {
  const root = temporaryFolder('root');
  mkdirSync(join(root, '.itembridge/logs'), { recursive: true, mode: 0o755 });
  const home = locateHome(root, undefined);
  createFolders(home);
  for (const folder of [home.directory, home.data, home.logs]) t.is(modeOf(folder), '700', folder);
});

test('a folder that the user has named keeps its mode, and what is put there is closed', (t) => {
  const named = join(temporaryFolder('named'), 'shared');
  mkdirSync(named, { mode: 0o755 });
  const home = locateHome(temporaryFolder('root'), named);
  createFolders(home);
  t.is(modeOf(named), '755');
  for (const folder of [home.data, home.logs]) t.is(modeOf(folder), '700', folder);
});
