// Bundles test files and programs with esbuild: to load a thousand modules one by one through a TypeScript loader takes each
// process several seconds of CPU, and a bundle a fraction of that. What runs is the same code in the same processes.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * @param {readonly string[]} files TypeScript, relative to the project
 * @param {string} folder where the bundles go, in the project, so that packages are found from there
 * @returns {Promise<Map<string, string>>} each file's bundle: its path in the folder, with `.mjs` for `.ts`
 */
export async function bundleSources(files, folder) {
  const bundleOf = (file) => join(folder, file.replace(/\.ts$/, '.mjs'));
  await build({
    ...bundled(folder),
    entryPoints: files.map((file) => ({ in: file, out: file.replace(/\.ts$/, '') })),
    plugins: [{ name: 'own-places', setup: keepPlaces }],
  });
  return new Map(files.map((file) => [file, bundleOf(file)]));
}

/**
 * One bundle for each group of test files, which `test/runner/test-file.ts` runs in one process.
 * @param {readonly { name: string, files: readonly string[], filesAtOnce: number }[]} groups
 * @param {string} folder where the bundles go, in the project
 * @returns {Promise<string[]>} the bundles' paths, in the order of the groups
 */
export async function bundleTestGroups(groups, folder) {
  await build({
    ...bundled(folder),
    splitting: true,
    entryPoints: groups.map(({ name }) => ({ in: `test-group:${name}`, out: name })),
    plugins: [
      { name: 'test-groups', setup: (plugin) => loadTestGroups(plugin, groups) },
      { name: 'own-places', setup: keepPlaces },
    ],
  });
  return groups.map(({ name }) => join(folder, `${name}.mjs`));
}

const bundled = (folder) => ({
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
});

const runner = './test/runner/test-file.ts';

/** A group imports its files, and each of its files gets a part of the runner where it imports ava. */
function loadTestGroups({ onLoad, onResolve }, groups) {
  onResolve({ filter: /^test-group:/ }, ({ path }) => ({ path: path.slice(11), namespace: 'test-group' }));
  onLoad({ filter: /./, namespace: 'test-group' }, ({ path }) => {
    const { files, filesAtOnce } = groups.find(({ name }) => name === path);
    const imports = files.map((file) => `import './${file}';`);
    const contents = [`import { runFiles } from '${runner}';`, ...imports, `runFiles(${filesAtOnce});`].join('\n');
    return { contents, resolveDir: process.cwd(), loader: 'js' };
  });
  const testFiles = new Set(groups.flatMap(({ files }) => files));
  onResolve({ filter: /^ava$/ }, ({ importer }) => {
    const path = relative(process.cwd(), importer);
    return testFiles.has(path) ? { path, namespace: 'test-file' } : undefined;
  });
  onLoad({ filter: /./, namespace: 'test-file' }, ({ path }) => ({
    contents: `import { testFile } from '${runner}'; export default testFile(${JSON.stringify(path)});`,
    resolveDir: process.cwd(),
    loader: 'js',
  }));
}

/** Modules find files beside them by `import.meta`: in a bundle it must say where they were, not where the bundle is. */
export function keepPlaces({ onLoad, onResolve }) {
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    if (!text.includes('import.meta.')) return undefined;
    const places = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
    const contents = text.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_all, name) =>
      JSON.stringify(places[name]),
    );
    return { contents, loader: 'ts' };
  });
  // Programs in plain JavaScript are loaded from where they are.
  onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
    path: pathToFileURL(join(resolveDir, path)).href,
    external: true,
  }));
}
