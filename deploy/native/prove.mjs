// Proves the configuration of docker-compose.yml without containers: the same scripts and files start PostgreSQL, the Temporal server,
// MongoDB and, when dist/ is built, the API and the worker as plain processes on free ports, and each is tried out.
//
//   node deploy/native/prove.mjs
//   npm run verify -- temporal     the same server with certificates and keys, on two nodes, and how much one partition of a queue does
//
// Wanted: PostgreSQL, and Go, which builds the Temporal server once.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proveApp } from './prove-app.mjs';
import { proveMongo } from './prove-mongo.mjs';
import { gatherPrograms } from './programs.mjs';
import { proveSecured } from './prove-secured.mjs';
import { proveTemporal } from './prove-temporal.mjs';
import { stopAll } from './processes.mjs';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'itembridge-prove-'));
const keepFiles = process.argv.includes('--keep');
const isSecured = process.argv.includes('--secured');

const startedAt = Date.now();
const proved = (what) => console.log(`  ok  ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);

try {
  const programs = await gatherPrograms(home);
  // PostgreSQL's user must reach the folders inside.
  chmodSync(home, 0o755);
  const secrets = join(home, 'secrets');
  const place = { root, home, secrets, programs, proved, secret: (name) => readFileSync(join(secrets, name), 'utf8') };
  if (isSecured) await proveSecured(place);
  else await proveDeployment(place);
} catch (error) {
  console.error(error);
  console.error(`not proved; logs are in ${home}`);
  process.exitCode = 1;
} finally {
  await stopAll();
  if (!keepFiles && process.exitCode !== 1) rmSync(home, { recursive: true, force: true });
}

async function proveDeployment(place) {
  const mongo = await proveMongo(place);
  const temporal = await proveTemporal(place);
  if (existsSync(join(root, 'build/production'))) await proveApp(place, { mongo, temporal });
  else console.log('  --  dist/ is not built (npm run build): API and worker were not tried');
  console.log('proved: the deployment works as native processes');
}
