import { chmodSync, mkdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

/** Every file of the embedded mode, in one git-ignored folder. `data` is what `--fresh` empties. */
export interface Home {
  readonly root: string;
  readonly directory: string;
  readonly data: string;
  readonly logs: string;
  readonly tls: string;
  readonly readyFile: string;
  readonly lockFile: string;
  readonly mongo: string;
  readonly temporalDatabase: string;
  readonly simulators: string;
  readonly images: string;
  readonly secretsFile: string;
  readonly accountsFile: string;
}

const defaultDirectory = (root: string): string => join(root, '.itembridge');

/** @param directory the folder named by ITEMBRIDGE_HOME; by default `.itembridge` in the project. */
export function locateHome(root: string, directory: string | undefined): Home {
  const home = directory === undefined || directory === '' ? defaultDirectory(root) : directory;
  const absolute = isAbsolute(home) ? home : join(root, home);
  const data = join(absolute, 'data');
  return {
    root,
    directory: absolute,
    data,
    logs: join(absolute, 'logs'),
    tls: absolute,
    readyFile: join(absolute, 'ready.json'),
    lockFile: join(absolute, 'running.json'),
    mongo: join(data, 'mongod'),
    temporalDatabase: join(data, 'temporal.sqlite'),
    simulators: join(data, 'simulators'),
    images: join(data, 'images'),
    secretsFile: join(data, 'secrets.json'),
    accountsFile: join(data, 'accounts.json'),
  };
}

/**
 * The folders are closed to other users of the machine, because servers create databases and logs with a mode of their
 * own.
 */
export function createFolders(home: Home): void {
  for (const folder of [home.data, home.logs, home.mongo, home.simulators, home.images])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Also applies to a folder that an earlier start, or the installation of the binaries, has made. A folder that the
  // user named keeps its mode.
  const isNamed = home.directory !== defaultDirectory(home.root);
  for (const folder of [...(isNamed ? [] : [home.directory]), home.data, home.logs]) chmodSync(folder, 0o700);
}

/** The path as people see it: relative to the project's folder where it is inside. */
export function displayPath(home: Home, file: string): string {
  const path = relative(home.root, file);
  return path.startsWith('..') ? file : path;
}
