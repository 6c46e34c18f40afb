// `scripts/test.mjs` gives ava bundles of the test files. Without it (`npx ava test/core/…`) they are loaded one module at a time,
// which does for tests that need no servers.
const bundles = process.env.TEST_BUNDLES;

const either = bundles
  ? { files: [`${bundles}/**/*.mjs`], extensions: ['mjs'] }
  : { files: ['{test,verification}/**/*.test.ts'], extensions: { ts: 'module' }, nodeArguments: ['--import=tsx'] };

export default { ...either, workerThreads: false, concurrency: 2, timeout: '8m' };
