// What the images have, wherever it lies here; the Temporal server is built once, from its Go module.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { goPrograms, installGoProgram } from '../../scripts/install-go-program.mjs';
import { resolveBinaries } from '../../scripts/resolve-binaries.mjs';
import { findProgram, run } from './processes.mjs';

/** Puts all of them on PATH, under the images' names. Resolves with the path of each. Throws what is missing. */
export async function gatherPrograms(home) {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const found = { ...(await resolveBinaries(['temporal', 'mongod'])) };
  for (const name of ['temporal-server', 'temporal-sql-tool']) found[name] = await installed(name);
  // PostgreSQL finds its own files beside its program, so it is called by its real path.
  const folders = ['16', '15', '17'].map((version) => `/usr/lib/postgresql/${version}/bin`).filter(existsSync);
  for (const name of ['psql', 'initdb', 'postgres']) found[name] = findProgram([name], folders);
  for (const name of Object.keys(found).filter((name) => name !== 'initdb' && name !== 'postgres'))
    symlinkSync(found[name], join(bin, name));
  process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
  const [module] = goPrograms['temporal-server'].module.split('/cmd/');
  const version = goPrograms['temporal-server'].module.split('@')[1];
  const { Dir: sources } = JSON.parse(run('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: home }));
  process.env.TEMPORAL_SCHEMA_DIR = join(sources, 'schema/postgresql/v12');
  return found;
}

async function installed(name) {
  const { path, problem } = await installGoProgram(name);
  if (path === undefined) throw new Error(problem);
  return path;
}
