// npm run test:nodes: npm test under each Node that the product is tried on, brought from the npm registry. `-- --smoke` is the short
// run of CI: on those whose major version is not the present one, and of the tests those that load every native module.
import { findNode, pathWith, prepare, triedNodes } from './prepare.mjs';
import { runMain } from './report-step.mjs';
import { notRunCode, runStep } from './run-step.mjs';

/** A world with API and worker; passwords; images. */
const smokeTests = ['test/main-story', 'test/security/password.test.ts'];

await runMain(async () => {
  await prepare();
  const isSmoke = process.argv.includes('--smoke');
  const majorOf = (version) => version.split('.')[0];
  const isOther = (version) => majorOf(version) !== majorOf(process.versions.node);
  const codes = [];
  for (const version of isSmoke ? triedNodes.filter(isOther) : triedNodes) {
    const { path, problem } = await findNode(version);
    if (path === undefined) console.log(problem);
    codes.push(path === undefined ? notRunCode : await runTests(path, { version, isSmoke }));
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
    environment: { PATH: pathWith(node) },
  });
}
