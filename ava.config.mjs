// `scripts/test.mjs` gives ava bundles of the test files. Without it (`npx ava test/items/…`) they are loaded one module at a time,
// which does for tests that need no servers.
const bundles = process.env.TEST_BUNDLES;
// V8's default of 16 MB for new objects makes so many collections that a run takes a tenth longer.
const newObjects = '--max-semi-space-size=64';

const either = bundles
  ? { files: [`${bundles}/**/*.mjs`], extensions: ['mjs'], nodeArguments: [newObjects] }
  : {
      files: ['{test,verification}/**/*.test.ts'],
      extensions: ['ts'],
      nodeArguments: ['--import=tsx', newObjects],
    };

export default { ...either, workerThreads: false, concurrency: 2, timeout: '8m' };
