// npm run schemathesis [-- flags of schemathesis]: throws generated requests, right and wrong ones, at a real system for every
// operation of its interface document and checks each answer. Needs Python 3.10 with pip; without it says so and ends well.
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines, prepare, projectRoot, runQuietly } from './prepare.mjs';
import { reportStep, runMain, SetupError } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

const pinsFile = join(projectRoot, 'scripts', 'schemathesis.txt');
const settings = join(projectRoot, 'test', 'api', 'schemathesis');
const home = join(projectRoot, '.itembridge', 'schemathesis');

/** Every request comes from one address, and most of those that sign in are right. */
const generousSignIn = Object.fromEntries(
  ['LOGINS_PER_ADDRESS', 'LOGINS_PER_EMAIL', 'REGISTRATIONS_PER_ADDRESS', 'REGISTRATIONS_PER_EMAIL'].map((name) => [
    name,
    '1000000',
  ]),
);

/** Signs the events of the payment processor: those of its simulator, and those that hooks.py makes. */
const paymentSecret = `whsec_${randomBytes(24).toString('hex')}`;

/** Direct sales are of items that are there. */
const unsoldItems = 60;

await runMain(async () => {
  await prepare();
  const python = await findPython();
  if (python === undefined) {
    console.log('schemathesis was not run: it needs Python 3.10 or later with pip, as "python3" or "python"');
    return;
  }
  await install(python);
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  process.exitCode = await withSystem((system) => runSchemathesis(python, system));
  process.exit();
});

async function findPython() {
  const probe = 'import sys, pip; sys.exit(sys.version_info < (3, 10))';
  for (const python of ['python3', 'python']) {
    if ((await runQuietly(python, ['-c', probe])).code === 0) return python;
  }
  return undefined;
}

/** Once for each set of pins, and complete or not at all. */
async function install(python) {
  const pins = readFileSync(pinsFile, 'utf8');
  const stamp = createHash('sha256').update(pins).digest('hex');
  const stampFile = join(home, '.pins');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const wanted = /^schemathesis==.*$/m.exec(pins)?.[0] ?? '';
  await reportStep(`getting ${wanted.replace('==', ' ')}`, async () => {
    const staging = `${home}.${process.pid}`;
    mkdirSync(staging, { recursive: true });
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary', ':all:'];
    const { code, output } = await runQuietly(python, [
      ...['-m', 'pip', 'install', ...flags],
      ...['--target', staging, '--constraint', pinsFile, wanted],
    ]);
    if (code !== 0) {
      rmSync(staging, { recursive: true, force: true });
      throw new SetupError(`pip could not install ${wanted}:\n${lastLines(output, 5)}`);
    }
    writeFileSync(join(staging, '.pins'), stamp);
    rmSync(home, { recursive: true, force: true });
    renameSync(staging, home);
  });
}

/** API and worker as processes of their own on new servers, and somebody who may call them. */
async function withSystem(use) {
  const { register } = await import('tsx/esm/api');
  register();
  const { startServers } = await import('../bench/support/servers.ts');
  const { startProduct } = await import('../bench/support/product.ts');
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-schemathesis-'));
  let servers;
  let product;
  let hasSucceeded = false;
  try {
    await reportStep('starting a system', async () => {
      servers = await startServers(folder, undefined);
      product = await startProduct(servers, {
        withWorker: true,
        settings: { ...generousSignIn, ...payments(servers) },
      });
    });
    await sendPaymentEvents(servers, product.apiUrl);
    const [dashboard, { apiKey }] = [await makeAccount(product.apiUrl), await makeAccount(product.apiUrl)];
    await pushItems(product.apiUrl, dashboard);
    const code = await use({ url: product.apiUrl, token: dashboard.token, apiKey });
    hasSucceeded = code === 0;
    return code;
  } finally {
    if (!hasSucceeded) printErrors(join(folder, 'api.log'));
    await product?.discard();
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function payments({ simulators }) {
  return {
    STRIPE_URL: simulators.payments.url,
    STRIPE_SECRET_KEY: 'sk_test_schemathesis',
    STRIPE_WEBHOOK_SECRET: paymentSecret,
  };
}

async function sendPaymentEvents({ simulators }, apiUrl) {
  const response = await fetch(`${simulators.payments.adminUrl}/webhook`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${apiUrl}/stripe/webhook`, secret: paymentSecret }),
  });
  if (!response.ok) throw new Error(`the payments simulator answered ${response.status}`);
}

/** An answer of 500 says nothing; the API's log says why. */
function printErrors(logFile) {
  if (!existsSync(logFile)) return;
  const errors = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  if (errors.length > 0)
    console.log(`\n${errors.length} errors in the API's log, the first of them:\n${errors.slice(0, 5).join('\n')}`);
}

async function makeAccount(url) {
  const person = { email: `${randomUUID()}@example.se`, password: randomUUID(), name: 'Schemathesis' };
  const { accessToken: token } = await post(`${url}/auth/register`, person);
  const { apiKey } = await post(`${url}/integration/api-keys/generate`, {}, token);
  return { token, apiKey };
}

async function pushItems(url, { apiKey }) {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const body = JSON.stringify({ title: 'Emaljkanna', price: 149, imageUrls: [] });
  for (let number = 0; number < unsoldItems; number += 1) {
    const response = await fetch(`${url}/integration/v1/items/unsold-${number}`, { method: 'PUT', headers, body });
    if (!response.ok) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
  }
}

async function post(url, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function runSchemathesis(python, { url, token, apiKey }) {
  const args = ['-m', 'schemathesis.cli', '--config-file', 'schemathesis.toml', 'run', `${url}/openapi.json`];
  const child = spawn(python, [...args, '--checks', 'all', ...process.argv.slice(2)], {
    cwd: settings,
    stdio: 'inherit',
    env: {
      ...process.env,
      PYTHONPATH: home,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_TOKEN: token,
      SCHEMATHESIS_API_KEY: apiKey,
      SCHEMATHESIS_UNSOLD_ITEMS: String(unsoldItems),
      SCHEMATHESIS_PAYMENT_SECRET: paymentSecret,
    },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
