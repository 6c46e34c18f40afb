import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startSystem } from '../../verification/crash/support/system.ts';

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
}

const { layOutImage } = (await import(new URL('../../deploy/native/lay-out-image.mjs', import.meta.url).href)) as {
  layOutImage: (root: string, folder: string) => string;
};
let image: string;
test.before(async () => {
  await promisify(execFile)(process.execPath, ['deploy/build.mjs']);
  image = layOutImage(resolve(), join(temporaryFolder('image'), 'app'));
});

test.serial('what is in the image is enough for an item to be hosted and published', async (t) => {
  const bundle = join(image, 'dist/workflow-bundle.js');
  const system = await startSystem({ WORKFLOW_BUNDLE: bundle }, { image });
  t.teardown(() => system.stop());
  const [picture = ''] = readdirSync('examples/catalogue/images');
  const imageUrls = [`${system.images.url}/${picture}`];
  t.is(await system.put('A1', { title: 'Emaljkanna', price: 149, imageUrls, autoPublishTradera: true }), 202);
  await until('the auction is up', async () => (await system.status('A1')).marketplaceStatus === 'active');
  t.like((await system.listings())[0], { imageCount: 1 });
});

test('neither bundler nor types are in the image, nor a binary of another system', (t) => {
  const { resolve: find } = createRequire(join(image, 'dist/bin/worker.js'));
  for (const name of ['webpack', '@swc/core', 'typescript']) t.throws(() => find(name), { code: 'MODULE_NOT_FOUND' });
  const files = readdirSync(image, { recursive: true, encoding: 'utf8' });
  // Of Temporal, sharp and argon2.
  t.is(files.filter((file) => file.endsWith('.node')).length, 3);
  t.deepEqual(
    files.filter((file) => /node_modules.*\.([cm]?ts|map)$/.test(file)),
    [],
  );
});

test('the SBOM names each package of the image once with its licence, and nothing that is not there', (t) => {
  const { components } = JSON.parse(readFileSync(join(image, 'sbom.cdx.json'), 'utf8')) as { components: Component[] };
  const there = readdirSync(image, { recursive: true, encoding: 'utf8' })
    .filter((file) => /node_modules[\\/](@[^\\/]+[\\/])?[^@\\/][^\\/]*[\\/]package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(join(image, file), 'utf8')) as Component)
    .map(({ name, version }) => `${name}@${version}`);
  const ours = new Set(['@scalar/api-reference']);
  const named = components.filter(({ name, purl }) => purl.startsWith('pkg:npm/') && !ours.has(name));
  t.deepEqual(named.map(({ name, version }) => `${name}@${version}`).sort(), [...new Set(there)].sort());
  t.true(there.length > 200);
  t.deepEqual(
    named.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name),
    [],
  );
  for (const name of ['node', 'vips', 'webp', '@scalar/api-reference'])
    t.is(components.filter((one) => one.name === name).length, 1, name);
  t.notRegex(readFileSync(join(image, 'sbom.cdx.json'), 'utf8'), /\.tgz/);
});
