// The reference page's program: one file of a package that has three hundred others behind it, none of them needed here.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLines, projectRoot, runQuietly, versions } from './prepare.mjs';
import { reportStep, SetupError } from './report-step.mjs';

export const scalar = versions.tools['@scalar/api-reference'];
const home = join(projectRoot, '.itembridge', 'scalar');

/** Fetches it once, as npm does, and compares its sum. Returns the path of the program. Throws a SetupError. */
export async function installScalar() {
  const folder = join(home, scalar.version);
  const program = join(folder, 'package', 'dist', 'browser', 'standalone.js');
  if (existsSync(program)) return program;
  await reportStep(`getting the reference page (@scalar/api-reference ${scalar.version})`, async () => {
    const staging = `${folder}.${randomUUID()}`;
    try {
      await mkdir(staging, { recursive: true });
      const name = `@scalar/api-reference@${scalar.version}`;
      const pack = ['pack', name, '--silent', '--ignore-scripts', '--pack-destination', staging];
      const tarball = join(staging, lastLines(await run('npm', pack), 1));
      const sum = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
      if (sum !== scalar.integrity) throw new SetupError(`${name} has the sum ${sum}, not the one in versions.json`);
      await run('tar', ['-xzf', tarball, '-C', staging, 'package/dist/browser/standalone.js']);
      await rm(tarball);
      await rename(staging, folder).catch((error) => {
        // Another process was faster.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
  return program;
}

async function run(command, args) {
  const { code, output } = await runQuietly(command, args, { cwd: projectRoot });
  if (code !== 0) throw new SetupError(`${command} ${args.join(' ')} ended with ${code}:\n${lastLines(output, 5)}`);
  return output;
}
