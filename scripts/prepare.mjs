import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportStep, SetupError } from './report-step.mjs';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** What every command does first: the right Node, the locked packages. Uses nothing but Node's built-ins. */
export async function prepare() {
  checkNodeVersion(process.versions.node);
  process.chdir(projectRoot);
  if (!packagesAreInstalled(projectRoot)) await reportStep('installing packages (npm ci)', installPackages);
}

/** Throws unless Node is 20.19 to 24. @param {string} version such as `20.19.0` */
export function checkNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = (major > 20 && major < 25) || (major === 20 && minor >= 19);
  if (!isSupported)
    throw new SetupError(
      `Node ${version} can't run this project: install Node 20.19 or later, up to 24 (https://nodejs.org).`,
    );
}

/**
 * True when node_modules holds what package-lock.json asks for. Compares npm's own record of what it installed, because
 * file times say "older" after every checkout; packages beyond the lock file do no harm.
 * @param {string} root
 */
export function packagesAreInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readPackages(record);
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' || wanted.optional || wanted.devOptional || installed[path]?.version === wanted.version,
  );
}

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};

async function installPackages() {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { code, output } = await runQuietly(command, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0)
    throw new SetupError(`the packages could not be installed: "npm ci" failed.\n${lastLines(output, 15)}`);
}

/**
 * Runs a command and keeps what it says. Never rejects: a command that does not exist has code 127.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

export const lastLines = (text, count) => text.trimEnd().split('\n').slice(-count).join('\n');
