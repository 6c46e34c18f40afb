import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportStep, SetupError } from './report-step.mjs';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** What no lock file holds. */
export const versions = JSON.parse(readFileSync(join(projectRoot, 'scripts', 'versions.json'), 'utf8'));
/** Exact, the newest last: the one in the image (Dockerfile). `npm test` is run on each (scripts/nodes.mjs). */
export const triedNodes = versions.runtimes.flatMap(({ tried }) => tried ?? []);
const pinnedNode = triedNodes.at(-1);

/** What every command does first: the right Node, the locked packages. Uses nothing but Node's built-ins. */
export async function prepare() {
  await useSupportedNode();
  process.chdir(projectRoot);
  if (!packagesAreInstalled(projectRoot)) await reportStep('installing packages (npm ci)', installPackages);
}

/** On too old a Node the present command is run anew by the pinned one, and this process ends with its exit code. */
export async function useSupportedNode() {
  const { node: own } = process.versions;
  const oldest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  const judged = judgeNode(own, oldest);
  if (judged === 'untried') console.error(`! Node ${own} is newer than ${pinnedNode}, the newest that was tried`);
  if (judged !== 'too old') return;
  const { path, problem } = await findNode(pinnedNode);
  if (path === undefined)
    throw new SetupError(
      `Node ${own} is too old, and Node ${pinnedNode} could not be had: install Node ${oldest} or later (https://nodejs.org).\n${problem}`,
    );
  console.error(`· Node ${own} is older than ${oldest}: going on with Node ${pinnedNode} from .itembridge/nodes`);
  process.exit(await runAgain(path));
}

/**
 * @param {string} version such as `24.1.0`
 * @param {string} oldest the first that runs the project, such as `22.19`
 * @returns {'too old' | 'tried' | 'untried'} untried: newer than the newest major version that the tests were run on
 */
export function judgeNode(version, oldest) {
  const [[major, minor], [oldestMajor, oldestMinor], [newestMajor]] = [version, oldest, pinnedNode].map((text) =>
    text.split('.').map(Number),
  );
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) return 'too old';
  return major > newestMajor ? 'untried' : 'tried';
}

function runAgain(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: pathWith(node) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** The PATH with which programs that are started by the name `node` are this one. */
export const pathWith = (node) => [dirname(node), process.env.PATH].join(delimiter);

/**
 * Installs it where it is missing. The package `node` gets its binary by an install script, which is off here; the binary's own
 * package needs none. npm checks the content by the hash that the registry names.
 * @returns {Promise<{ path?: string, problem?: string }>}
 */
export async function findNode(version) {
  const target = join(projectRoot, '.itembridge', 'nodes', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const path = join(target, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(path)) return { path };
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const install = () => runQuietly('npm', ['install', '--prefix', target, ...flags, `${name}@${version}`]);
  const { code, output } = await reportStep(`getting Node ${version}`, install);
  if (code === 0 && existsSync(path)) return { path };
  rmSync(target, { recursive: true, force: true });
  return { problem: lastLines(output, 3) };
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
