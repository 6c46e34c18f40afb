import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileProduct } from '../crash/support/compile-product.ts';
import { report } from './report.ts';
import { run } from './run.ts';

const minuteMs = 60_000;

/** `npm run chaos`: exit code 1 when something is that may not be. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      // Read by scripts/chaos.mjs.
      keep: { type: 'boolean', default: false },
    },
  });
  const seed = wholeNumber('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)));
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}`);
  console.log(`seed ${seed}: repeat it by npm run chaos -- --seed ${seed} --minutes ${minutes}`);
  const folder = join(process.env['TEST_DIRECTORY'] ?? '', 'run');
  const log = (line: string): void => {
    console.log(line);
  };
  const productFolder = await compileProduct();
  // Where the API looks for its pages.
  symlinkSync(resolve('web'), join(productFolder, '..', 'web'));
  const result = await run({ seed, durationMs: minutes * minuteMs, folder, productFolder, log });
  console.log(['', ...report(result)].join('\n'));
  if (result.violations.length === 0) return;
  console.log(`\n${result.violations.length} violations with seed ${seed}`);
  process.exitCode = 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= 2 ** 32)
    throw new Error(`--${name} must be a whole number below 2^32, not ${text}`);
  return Number(text);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
