// Proves the configuration of docker-compose.yml without containers: the same scripts and files start PostgreSQL, the Temporal server,
// MongoDB and, when dist/ is built, the API and the worker as plain processes on free ports, and each is tried out.
//
//   node deploy/native/prove.mjs
//
// Wanted on PATH: temporal-server and temporal-sql-tool 1.32 (`server` and `sql` as `go install` names them are fine too), temporal, mongod,
// psql. TEMPORAL_SCHEMA_DIR is schema/postgresql/v12 of the server's sources.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { proveApp } from './prove-app.mjs';
import { proveMongo } from './prove-mongo.mjs';
import { proveTemporal } from './prove-temporal.mjs';
import { findProgram, run, stopAll } from './processes.mjs';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'itembridge-prove-'));
const keepFiles = process.argv.includes('--keep');

/** What the images have under these names, wherever it lies here. */
function gatherPrograms() {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const postgresBin = (() => {
    try {
      return [run(findProgram(['pg_config']), ['--bindir'])];
    } catch {
      return ['16', '15', '17'].map((version) => `/usr/lib/postgresql/${version}/bin`).filter(existsSync);
    }
  })();
  const wanted = {
    'temporal-server': ['temporal-server', 'server'],
    'temporal-sql-tool': ['temporal-sql-tool', 'sql'],
    ...Object.fromEntries(['temporal', 'mongod', 'psql', 'initdb', 'postgres'].map((name) => [name, [name]])),
  };
  for (const [name, names] of Object.entries(wanted)) {
    // PostgreSQL finds its own files beside its program, so it is called by its real path.
    const path = findProgram(names, postgresBin);
    if (name !== 'initdb' && name !== 'postgres') symlinkSync(path, join(bin, name));
    wanted[name] = path;
  }
  process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
  return wanted;
}

const startedAt = Date.now();
const proved = (what) => console.log(`  ok  ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);

try {
  const programs = gatherPrograms();
  // PostgreSQL's user must reach the folders inside.
  chmodSync(home, 0o755);
  const secrets = join(home, 'secrets');
  const place = { root, home, secrets, programs, proved, secret: (name) => readFileSync(join(secrets, name), 'utf8') };
  const mongo = await proveMongo(place);
  const temporal = await proveTemporal(place);
  if (existsSync(join(root, 'build/production'))) await proveApp(place, { mongo, temporal });
  else console.log('  --  dist/ is not built (npm run build): API and worker were not tried');
  console.log('proved: the deployment works as native processes');
} catch (error) {
  console.error(error);
  console.error(`not proved; logs are in ${home}`);
  process.exitCode = 1;
} finally {
  await stopAll();
  if (!keepFiles && process.exitCode !== 1) rmSync(home, { recursive: true, force: true });
}
