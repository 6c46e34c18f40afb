// Which servers a test file needs is read from its imports, so that no list has to be kept.
import { existsSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { keepPlaces } from './bundle-sources.mjs';
import { goPrograms } from './install-go-program.mjs';

/** What a file reaches that says what it needs. The first that fits counts. */
const kinds = [
  { kind: 'world', settings: ['TEST_TEMPORAL_ADDRESS', 'TEST_WORKFLOW_BUNDLE', 'ITEMBRIDGE_TEMPORAL'] },
  { kind: 'database', settings: ['TEST_MONGODB_URI', 'ITEMBRIDGE_MONGOD_BIN'] },
];

/** What a line of a test file takes, by its kind: it was measured once, and is only to balance the bundles. */
const costOfLine = { world: 5, database: 1, pure: 0.15 };

/**
 * Shares the files out to bundles. Two run at a time, so those of a plan after the first take turns with what is before them: the
 * last one gets less.
 * @param {ReadonlyMap<string, Kind>} kindOfFile
 * @param {readonly { name: string, kinds: readonly Kind[], bundles: number, filesAtOnce: number }[]} plans
 */
export function groupsOf(kindOfFile, plans) {
  const costOf = (file) => readFileSync(file, 'utf8').split('\n').length * costOfLine[kindOfFile.get(file)];
  const costs = new Map([...kindOfFile.keys()].map((file) => [file, costOf(file)]));
  let costBefore = 0;
  return plans.flatMap(({ name, kinds: those, bundles, filesAtOnce }) => {
    // Those with a server come first: what keeps its process busy is not to delay them.
    const files = those.flatMap((kind) =>
      [...costs.keys()].filter((file) => kindOfFile.get(file) === kind).toSorted((a, b) => costs.get(b) - costs.get(a)),
    );
    const groups = Array.from({ length: Math.min(bundles, files.length) }, () => ({ cost: 0, files: [] }));
    if (groups.length > 1) groups.at(-1).cost = costBefore;
    for (const file of files) {
      const smallest = groups.reduce((least, group) => (group.cost < least.cost ? group : least));
      smallest.cost += costs.get(file);
      smallest.files.push(file);
      costBefore += costs.get(file);
    }
    return groups
      .filter((group) => group.files.length > 0)
      .map((group, index) => ({ name: `${name}-${index + 1}`, files: group.files, filesAtOnce }));
  });
}

/**
 * What the files reach by their imports tells what they need.
 * @param {readonly string[]} files test files, relative to the project
 * @returns {Promise<{ kinds: Map<string, Kind>, servers: Set<Kind>, programs: boolean, web: boolean, goProgramNames: string[] }>} pure
 *   files need no server, database files MongoDB, world files Temporal as well; programs: whether a test starts one of the product's
 *   programs; web: whether a test builds what browsers get; goProgramNames: the servers of other makers that tests start themselves
 * @typedef {'pure' | 'database' | 'world'} Kind
 */
export async function needsOf(files) {
  const inputs = await readImports(files);
  const texts = new Map(
    Object.keys(inputs)
      .filter((path) => existsSync(path))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
  const kindHere = new Map([...texts].map(([path, text]) => [path, kindOfText(text)]));
  const kinds = new Map(files.map((file) => [file, kindOf(file, { inputs, kindHere })]));
  const isNamed = (words) => [...texts.values()].some((text) => text.includes(words));
  return {
    kinds,
    servers: new Set(kinds.values()),
    programs: 'embedded/program-arguments.ts' in inputs,
    web: isNamed('scripts/build-web.mjs'),
    goProgramNames: Object.keys(goPrograms).filter((name) => isNamed(`${goPrograms[name].setting}_BIN`)),
  };
}

function kindOf(file, { inputs, kindHere }) {
  const seen = new Set([file]);
  for (const path of seen)
    for (const imported of inputs[path]?.imports ?? []) if (!imported.external) seen.add(imported.path);
  const found = new Set([...seen].map((path) => kindHere.get(path)));
  return kinds.find(({ kind }) => found.has(kind))?.kind ?? 'pure';
}

const kindOfText = (text) => kinds.find(({ settings }) => settings.some((setting) => text.includes(setting)))?.kind;

async function readImports(files) {
  const contents = files.map((file) => `import './${file}';`).join('\n');
  const { metafile } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile: 'unused.mjs',
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [{ name: 'own-places', setup: keepPlaces }],
  });
  return metafile.inputs;
}
