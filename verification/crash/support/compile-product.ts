import { execFile } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The product as plain JavaScript in the run's own folder: a process starts from it as fast as in production. */
export async function compileProduct(): Promise<string> {
  const parent = process.env['TEST_DIRECTORY'] ?? '';
  const folder = join(parent, 'product');
  const tsc = 'node_modules/typescript-native/bin/tsc';
  await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder]);
  const packages = join(parent, 'node_modules');
  if (!existsSync(packages)) symlinkSync(resolve('node_modules'), packages);
  return folder;
}
