import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { request } from 'undici';
import { routes } from '../../api/routes.ts';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);

// specification: slug-labelen-labelsv-descriptionen
test('categories 200: the 18 domains without any credential', async (t) => {
  const reply = await world().call('GET', '/categories');
  t.is(reply.status, 200);
  t.is(reply.body.length, 18);
  for (const record of reply.body) {
    t.deepEqual(Object.keys(record).sort(), ['descriptionEn', 'labelEn', 'labelSv', 'searchFields', 'slug']);
  }
});

test('openapi.json 200: version 3.1, every route of the table, and no reference that leads nowhere', async (t) => {
  const reply = await world().call('GET', '/openapi.json');
  t.is(reply.status, 200);
  const { openapi, paths, components } = reply.body;
  t.is(openapi, '3.1.0');
  for (const { path, method } of routes) t.truthy(paths[path][method], `${method} ${path}`);
  const references = [...reply.text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
  t.true(references.length > 50);
  for (const name of references) t.truthy(components.schemas[name ?? ''], name);
  const { webhooks } = reply.body as { webhooks: Record<string, { post: { operationId: string } }> };
  const operationIds: unknown[] = [
    ...routes.map(({ path, method }): unknown => paths[path][method].operationId),
    ...Object.values(webhooks).map(({ post }) => post.operationId),
  ];
  t.is(new Set(operationIds).size, operationIds.length);
  const named = [...reply.text.matchAll(/"operationId":"(\w+)"/g)].map((match) => match[1]);
  t.true(named.length > operationIds.length, 'there are links');
  for (const name of named) t.true(operationIds.includes(name), name);
  t.false(reply.text.includes('"$id"'));
});

for (const path of ['/openapi.json', '/openapi-without-webhooks.json'])
  test(`${path} is sent packed, and not at all to a caller that has it`, async (t) => {
    // fetch would unpack it, and ask past every cache.
    const ask = async (headers: Record<string, string>) => {
      const { statusCode, headers: got, body } = await request(world().url + path, { headers });
      return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) };
    };
    const [plain, packed] = [await ask({}), await ask({ 'accept-encoding': 'gzip' })];
    t.is(packed.headers['content-encoding'], 'gzip');
    t.deepEqual(gunzipSync(packed.bytes), plain.bytes);
    t.true(packed.bytes.length < plain.bytes.length / 5, String(packed.bytes.length));
    t.not(packed.headers.etag, plain.headers.etag, 'other bytes have another tag');
    const again = await ask({ 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers.etag) });
    t.deepEqual([again.status, again.bytes.length], [304, 0]);
    t.is('webhooks' in JSON.parse(plain.bytes.toString()), path === '/openapi.json');
  });

test('openapi.json: every parameter in a path is described, and nothing else is', (t) => {
  for (const { path, params = {} } of routes) {
    t.deepEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      Object.keys(params),
      path,
    );
  }
});

test('docs 200: the reference page and all its files come from here, under a policy that lets them run', async (t) => {
  t.is((await world().call('GET', '/docs')).headers.get('location'), '/docs/');
  const page = await world().call('GET', '/docs/');
  t.is(page.status, 200);
  t.true(page.headers.get('content-security-policy')?.includes("script-src 'self'"));
  const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  t.true(files.length >= 5);
  for (const file of files) {
    t.false(/^(https?:)?\/\//.test(file), file);
    t.is((await world().call('GET', new URL(file, 'http://x/docs/').pathname)).status, 200, file);
  }
  t.true((await world().call('GET', '/docs/swagger-initializer.js')).text.includes('/openapi.json'));
});

test('docs 404: of the package only the files of the page are served', async (t) => {
  const others = [
    'package.json',
    'README.md',
    'absolute-path.js',
    'index.js',
    'swagger-ui.js',
    'swagger-ui-bundle.js.map',
  ];
  for (const file of [...others, 'oauth2-redirect.html', 'swagger-ui-es-bundle.js'])
    isError(t, await world().call('GET', `/docs/${file}`), { status: 404, code: 'NOT_FOUND' });
});

test('the start page leads to the dashboard', async (t) => {
  const start = await world().call('GET', '/');
  t.is(start.headers.get('location'), '/dashboard');
});
