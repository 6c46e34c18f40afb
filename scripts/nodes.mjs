// npm run test:nodes: npm test under each Node of this list, which the npm registry brings. `-- --smoke` is the short run of CI: the
// newest alone, and of the tests those that load every native module (a world with API and worker; passwords; images).
import { existsSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { prepare, projectRoot, lastLines, runQuietly } from './prepare.mjs';
import { reportStep, runMain } from './report-step.mjs';
import { notRunCode, runStep } from './run-step.mjs';

/** Exact, the newest last: that one is in the image (Dockerfile). */
const versions = ['22.23.3', '24.21.0'];
const smokeTests = ['test/main-story', 'test/security/password.test.ts'];

await runMain(async () => {
  await prepare();
  const isSmoke = process.argv.includes('--smoke');
  const codes = [];
  for (const version of isSmoke ? versions.slice(-1) : versions) {
    const node = await reportStep(`getting Node ${version}`, () => installNode(version));
    codes.push(node === undefined ? notRunCode : await runTests(node, { version, isSmoke }));
  }
  process.exitCode = codes.find((code) => code !== 0 && code !== notRunCode) ?? Math.max(...codes);
});

function runTests(node, { version, isSmoke }) {
  const args = isSmoke ? smokeTests : process.argv.slice(2);
  return runStep({
    title: `tests on Node ${version}`,
    minutes: isSmoke ? 1 : 5,
    command: [node, 'scripts/test.mjs', ...args],
    // What the tests start by its name is the same Node.
    environment: { PATH: [dirname(node), process.env.PATH].join(delimiter) },
  });
}

/**
 * The package `node` gets its binary by an install script, which is off here; the binary's own package needs none. npm checks the
 * content by the hash that the registry names.
 * @returns {Promise<string | undefined>} undefined where the registry can't be asked, or has none for this machine
 */
async function installNode(version) {
  const target = join(projectRoot, '.itembridge', 'nodes', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const binary = join(target, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runQuietly('npm', ['install', '--prefix', target, ...flags, `${name}@${version}`]);
  if (code === 0 && existsSync(binary)) return binary;
  rmSync(target, { recursive: true, force: true });
  console.log(lastLines(output, 3));
  return undefined;
}
