import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { request } from 'undici';
import { routes } from '../../api/routes.ts';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);

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
    t.true(gunzipSync(packed.bytes).equals(plain.bytes));
    t.true(packed.bytes.length < plain.bytes.length / 5, String(packed.bytes.length));
    t.not(packed.headers.etag, plain.headers.etag, 'other bytes have another tag');
    const again = await ask({ 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers.etag) });
    t.deepEqual([again.status, again.bytes.length], [304, 0]);
    t.is('webhooks' in JSON.parse(plain.bytes.toString()), path === '/openapi.json');
  });

const build = new URL('../../scripts/build-web.mjs', import.meta.url).href;
test.before(async () => {
  const { buildWeb } = (await import(build)) as { buildWeb: () => Promise<void> };
  await buildWeb();
});

/** Addresses of files and pages that a page names. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/(?:src|href)="([^"#]+)/g)].map((match) => match[1] ?? '');

test('docs 200: the interactive page and all its files come from here, packed, under a policy that lets them run', async (t) => {
  t.is((await world().call('GET', '/docs')).headers.get('location'), '/docs/');
  const page = await world().call('GET', '/docs/try');
  t.is(page.status, 200);
  t.true(page.headers.get('content-security-policy')?.includes("script-src 'self';"));
  const files = namedIn(page.text).filter((file) => file.startsWith('/docs/assets/'));
  t.is(files.length, 4);
  for (const file of files) {
    const { statusCode, headers, body } = await request(world().url + file, { headers: { 'accept-encoding': 'br' } });
    await body.dump();
    t.is(statusCode, 200, file);
    t.is(headers['content-encoding'], 'br', file);
    t.is(headers['cache-control'], 'public, max-age=31536000, immutable', file);
  }
  for (const address of namedIn(page.text)) t.false(/^(https?:)?\/\//.test(address), address);
});

test('docs 200: every call of the interface document is in the reference, with its path and its summary', async (t) => {
  const pages = new Map<string, string>();
  for (const address of namedIn((await world().call('GET', '/docs/reference/')).text))
    if (address.startsWith('/docs/reference/')) pages.set(address, (await world().call('GET', address)).text);
  const all = [...pages.values()].join('');
  const document = (await world().call('GET', '/openapi.json')).text;
  const ids = [...document.matchAll(/"operationId":\s*"(\w+)"/g)].map(([, id = '']) => id);
  const calls = ids.filter((id) => !/^on[A-Z]/.test(id));
  t.true(calls.length > 100);
  t.deepEqual(
    calls.filter((id) => !all.includes(`<h2 id="${id}"`)),
    [],
  );
});

test('docs 200: every guide and page of the reference is without scripts, and every address that it names here is served', async (t) => {
  const addresses: string[] = ['/docs/', '/docs/reference/'];
  for (const part of ['guides', 'reference']) {
    const { text } = await world().call('GET', `/docs/${part}/`);
    addresses.push(...new Set(namedIn(text).filter((at) => at.startsWith(`/docs/${part}/`) && !at.endsWith('/'))));
  }
  t.true(addresses.length >= 25, addresses.join());
  const named = new Set<string>();
  for (const guide of addresses) {
    const page = await world().call('GET', guide);
    t.is(page.status, 200, guide);
    t.true(page.headers.get('content-security-policy')?.startsWith("default-src 'none'"));
    t.false(page.text.includes('<script'), guide);
    t.regex(page.text, /<h1[ >]/, guide);
    for (const address of namedIn(page.text)) if (address.startsWith('/')) named.add(address);
  }
  for (const address of named)
    if (!address.startsWith('/dashboard')) t.is((await world().call('GET', address)).status, 200, address);
});

test('docs 404: nothing else is served below', async (t) => {
  const others = [
    'package.json',
    'index.html',
    '.sources',
    'guides/nothing',
    'reference/nothing',
    'assets/scalar.js',
    'assets/..%2findex.html',
  ];
  for (const file of others) isError(t, await world().call('GET', `/docs/${file}`), { status: 404, code: 'NOT_FOUND' });
});

test('the start page leads to the dashboard', async (t) => {
  const start = await world().call('GET', '/');
  t.is(start.headers.get('location'), '/dashboard');
});
