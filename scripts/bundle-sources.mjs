// Bundles test files and programs with esbuild: to load a thousand modules one by one through a TypeScript loader takes each
// process several seconds of CPU, and a bundle a fraction of that. What runs is the same code in the same processes.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
    entryPoints: files.map((file) => ({ in: file, out: file.replace(/\.ts$/, '') })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, packages: 'external', format: 'esm', platform: 'node', target: 'node20', keepNames: true },
    ...{ sourcemap: 'linked', sourcesContent: false, logLevel: 'warning' },
    plugins: [{ name: 'own-places', setup: keepPlaces }],
  });
  return new Map(files.map((file) => [file, bundleOf(file)]));
}

/** Modules find files beside them by `import.meta`: in a bundle it must say where they were, not where the bundle is. */
function keepPlaces({ onLoad, onResolve }) {
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
