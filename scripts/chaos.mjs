// npm run chaos [-- --seed N --minutes M]: breaks everything at random under load and compares the end with a model (docs/evidence.md).
//   --keep: leaves data and logs where they are.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorkflows } from './build-workflows.mjs';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

await runMain(async () => {
  const args = process.argv.slice(2);
  await prepare();
  const binaries = await resolveBinaries(['temporal', 'mongod']);
  const { register } = await import('tsx/esm/api');
  register();
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-chaos-'));
  try {
    const environment = {
      ...process.env,
      NODE_ENV: 'test',
      TEST_DIRECTORY: folder,
      ...binaryVariables(binaries),
      ...(await createCertificates(folder)),
      TEST_WORKFLOW_BUNDLE: await buildWorkflows(),
    };
    process.exitCode = await runChaos(args, environment);
  } finally {
    if (args.includes('--keep')) console.log(`data and logs are in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  process.exit();
});

async function createCertificates(folder) {
  const { ensureCertificates } = await import('../embedded/certificates.ts');
  const files = await ensureCertificates(join(folder, 'tls'), process.env.NODE_EXTRA_CA_CERTS);
  return {
    TEST_TLS_KEY_FILE: files.keyFile,
    TEST_TLS_CERT_FILE: files.certificateFile,
    NODE_EXTRA_CA_CERTS: files.bundleFile,
  };
}

function runChaos(args, env) {
  const child = spawn(process.execPath, ['--import=tsx', join('verification', 'chaos', 'main.ts'), ...args], {
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
