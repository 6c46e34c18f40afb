// node --import=tsx scripts/openapi.mjs write|lint: the committed copy of the interface document, docs/openapi.json.
// A test compares it with what the code says, so every change of the contract shows in review.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain, SetupError } from './report-step.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = 'docs/openapi.json';

await runMain(async () => {
  const [task] = process.argv.slice(2);
  if (task === 'write') await write();
  else if (task === 'lint') process.exitCode = await lint();
  else throw new SetupError('usage: node --import=tsx scripts/openapi.mjs write|lint');
});

async function write() {
  const { documentText } = await import('../api/openapi/build-document.ts');
  const { routes } = await import('../api/routes.ts');
  await writeFile(join(root, file), documentText(routes));
  console.log(`${file} written`);
}

/** The rules are in redocly.yaml. Without a look for updates: the check must not need a network. */
function lint() {
  const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const child = spawn(process.execPath, [cli, 'lint', file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
