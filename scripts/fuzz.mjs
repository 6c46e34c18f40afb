// npm run fuzz [-- --seed N] [--minutes M] [--only schemathesis|http|images] [--kinds 'keys,numbers'] [--mutations N] [--input N]: throws what nobody should
// send at a real system and judges every answer, what is stored, and what the processes hold afterwards. Exits with 1 when anything
// was found, and says how to make it again. What came of it is in docs/evidence.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWeb } from './build-web.mjs';
import { prepare } from './prepare.mjs';
import { runMain, SetupError } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';
import { installSchemathesis, runSchemathesis, seededSettings } from './schemathesis-tool.mjs';

const parts = ['schemathesis', 'http', 'images'];
/** A default run takes about so long on two cores. */
const defaultMinutes = 7;
const mutationsPerMinute = 20;
/** Of each operation, as `npm run checks -- schemathesis` makes in a default run. */
const examplesPerMinute = 10 / defaultMinutes;

await runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  await prepare();
  // Else its pages are answered with 503, as those of a service that lacks them.
  await buildWeb();
  const needsPython = options.only === undefined || options.only === 'schemathesis';
  const python = needsPython ? await installSchemathesis() : undefined;
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  const { register } = await import('tsx/esm/api');
  register();
  const { runFuzz } = await import('../verification/fuzz/main.ts');
  const runTool = python && ((target) => generate(python, target, options));
  process.exitCode = await runFuzz({ ...options, runSchemathesis: runTool });
  process.exit();
});

function readOptions(args) {
  const names = ['seed', 'minutes', 'only', 'mutations', 'input', 'kinds'];
  const { values } = parseArgs({ args, options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });
  const { only } = values;
  if (only !== undefined && !parts.includes(only)) throw new SetupError(`--only takes one of ${parts.join(', ')}`);
  const input = wholeNumber(values, 'input', undefined);
  if (input !== undefined && only !== 'http' && only !== 'images')
    throw new SetupError('--input goes with --only http or --only images');
  const minutes = wholeNumber(values, 'minutes', defaultMinutes);
  const mutations = wholeNumber(values, 'mutations', minutes * mutationsPerMinute);
  const kinds = values.kinds?.split(',');
  return { only, input, kinds, minutes, mutations, seed: wholeNumber(values, 'seed', 20261101) };
}

function wholeNumber(values, name, otherwise) {
  const text = values[name];
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new SetupError(`--${name} takes a whole number`);
  return Number(text);
}

/** A limit in time would cut off its last part, the calls that follow links. */
async function generate(python, target, { seed, minutes }) {
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-fuzz-settings-'));
  try {
    const configFile = join(folder, 'schemathesis.toml');
    const examples = String(Math.max(1, Math.round(minutes * examplesPerMinute)));
    writeFileSync(configFile, seededSettings(seed));
    return await runSchemathesis(python, target, { configFile, flags: ['--max-examples', examples] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
