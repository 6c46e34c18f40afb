import { readFileSync } from 'node:fs';
import test from 'ava';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { integrity?: string; dev?: boolean; hasInstallScript?: boolean }>;
};
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;

test('every package is locked by the SHA-512 of its content', (t) => {
  const loose = Object.entries(lock.packages).filter(
    ([path, { integrity = '' }]) => path !== '' && !/^sha512-/.test(integrity),
  );
  t.deepEqual(loose, []);
  t.true(Object.keys(lock.packages).length > 500);
});

test('every package that we name has one exact version', (t) => {
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  t.deepEqual(
    versions.filter(([, version]) => !/^(npm:[\w/@.-]+@)?\d+\.\d+\.\d+$/.test(version)),
    [],
  );
});

test('no package runs a script of its own when it is installed', (t) => {
  t.regex(readFileSync('.npmrc', 'utf8'), /^ignore-scripts=true$/m);
  // Whoever adds one that wants to should know: it is not run, and the package must work without.
  const wanting = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  t.deepEqual(
    wanting.map(([path]) => path.split('node_modules/').at(-1)),
    ['@swc/core', 'esbuild', 'msgpackr-extract', 'protobufjs'],
  );
});
