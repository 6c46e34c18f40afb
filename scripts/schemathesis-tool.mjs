// Schemathesis (PyPI), in the versions of scripts/schemathesis.txt, for the commands that run it against a system of theirs.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './prepare.mjs';
import { findPython, installPythonPackages } from './python-packages.mjs';

const pinsFile = join(projectRoot, 'scripts', 'schemathesis.txt');
const settings = join(projectRoot, 'test', 'api', 'schemathesis');
const home = join(projectRoot, '.itembridge', 'schemathesis');

/** Direct sales are of items that are there. */
const unsoldItems = 60;

/** The Python to run it with, once it is installed; undefined without Python 3.10 and pip. */
export async function installSchemathesis() {
  const python = await findPython(10);
  if (python !== undefined) await installPythonPackages(python, { home, pinsFile, packages: ['schemathesis'] });
  return python;
}

/**
 * Every check, with the settings of test/api/schemathesis; resolves with the tool's exit code.
 * @param {string} python
 * @param {{ url: string, token: string, apiKey: string, paymentSecret: string }} system `token` and `apiKey` of two accounts
 * @param {{ flags?: string[], configFile?: string }} options `flags` of `schemathesis run`
 */
export async function runSchemathesis(python, { url, token, apiKey, paymentSecret }, { flags = [], configFile } = {}) {
  await pushItems(url, token);
  const config = configFile ?? join(settings, 'schemathesis.toml');
  const args = ['-m', 'schemathesis.cli', '--config-file', config, 'run', `${url}/openapi.json`];
  const child = spawn(python, [...args, '--checks', 'all', ...flags], {
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

/**
 * The settings with another seed, under which each run makes up other cases: those of the file are the same each time.
 * @returns {string} text of a configuration file
 */
export function seededSettings(seed) {
  return readFileSync(join(settings, 'schemathesis.toml'), 'utf8')
    .replace(/^seed = .*$/m, `seed = ${seed}`)
    .replace(/^deterministic = true$/m, 'deterministic = false')
    .replace(/^hooks = "(.*)"$/m, (_line, file) => `hooks = ${JSON.stringify(join(settings, file))}`);
}

/** For the session's account: the hooks sell them. */
async function pushItems(url, token) {
  const generated = await fetch(`${url}/integration/api-keys/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { apiKey } = await generated.json();
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const body = JSON.stringify({ title: 'Emaljkanna', price: 149, imageUrls: [] });
  for (let number = 0; number < unsoldItems; number += 1) {
    const response = await fetch(`${url}/integration/v1/items/unsold-${number}`, { method: 'PUT', headers, body });
    if (!response.ok) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
  }
}
