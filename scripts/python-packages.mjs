// Python packages for commands that need a tool from PyPI, each set in a folder of its own below .itembridge.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, runQuietly } from './prepare.mjs';
import { reportStep, SetupError } from './report-step.mjs';

/** A Python of `minor` (of 3) or later that has pip; undefined where there is none. @param {number} minor such as 10 */
export async function findPython(minor) {
  const probe = `import sys, pip; sys.exit(sys.version_info < (3, ${minor}))`;
  for (const python of ['python3', 'python']) {
    if ((await runQuietly(python, ['-c', probe])).code === 0) return python;
  }
  return undefined;
}

/**
 * Installs once for each set of pins, and completely or not at all.
 * @param {string} python
 * @param {{ home: string, pinsFile: string, packages: readonly string[] }} set `packages` by name; pip takes their versions, and those of
 * what they need, from `pinsFile`. `home` is the folder for PYTHONPATH
 */
export async function installPythonPackages(python, { home, pinsFile, packages }) {
  const pins = readFileSync(pinsFile, 'utf8');
  const stamp = createHash('sha256').update(pins).update(packages.join()).digest('hex');
  const stampFile = join(home, '.pins');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  await reportStep(`getting ${packages.join(', ')}`, async () => {
    const staging = `${home}.${process.pid}`;
    mkdirSync(staging, { recursive: true });
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary', ':all:'];
    const { code, output } = await runQuietly(python, [
      ...['-m', 'pip', 'install', ...flags],
      ...['--target', staging, '--constraint', pinsFile, ...packages],
    ]);
    if (code !== 0) {
      rmSync(staging, { recursive: true, force: true });
      throw new SetupError(`pip could not install ${packages.join(', ')}:\n${lastLines(output, 5)}`);
    }
    writeFileSync(join(staging, '.pins'), stamp);
    rmSync(home, { recursive: true, force: true });
    renameSync(staging, home);
  });
}
