import { request as send, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test, { imagesPublicUrl: 'https://cdn.example/hosted/' });

const build = new URL('../../scripts/build-web.mjs', import.meta.url).href;
test.before(async () => {
  const { buildWeb } = (await import(build)) as { buildWeb: () => Promise<void> };
  await buildWeb();
});

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** fetch would unpack the answer. */
async function get(path: string, { method = 'GET', ...headers }: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = send(new URL(path, world().url), { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) });
      });
    });
    call.on('error', reject);
    call.end();
  });
}

const filesOf = (page: Buffer): string[] =>
  [...page.toString().matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map((match) => match[1] ?? '');

test('dashboard 200: every path below it is the same page, looked at anew each time, but none of its files', async (t) => {
  const page = await get('/dashboard');
  t.is(page.status, 200);
  t.is(page.headers['content-type'], 'text/html; charset=utf-8');
  t.is(page.headers['cache-control'], 'no-cache');
  for (const path of ['/dashboard/', '/dashboard/items', '/dashboard/items/A%2F1.js', '/dashboard/no/such/page'])
    t.deepEqual((await get(path)).body, page.body, path);
  const missing = await get('/dashboard/assets/index-00000000.js');
  t.is(missing.status, 404);
  t.is(missing.headers['cache-control'], 'no-store');
  t.is((await get('/dashboard/assets/..%2findex.html')).status, 404);
  t.is((await get('/dashboard/assets/%2e%2e/.sources')).body.equals(page.body), true);
  t.is((await get('/dashboards')).status, 404);
  t.is((await get('/dashboard', { method: 'POST' })).status, 404);
});

test('dashboard files 200: named by their content and kept for good, each with its type', async (t) => {
  const files = filesOf((await get('/dashboard')).body);
  t.true(files.length >= 2);
  for (const file of files) {
    const { status, headers } = await get(file);
    t.is(status, 200, file);
    t.is(headers['cache-control'], 'public, max-age=31536000, immutable', file);
    t.is(headers['x-content-type-options'], 'nosniff');
    t.regex(headers['content-type'] ?? '', file.endsWith('.js') ? /^text\/javascript/ : /^(text\/css|image\/svg\+xml)/);
  }
});

test('dashboard files come as small as the browser takes them, and a cache in between keeps the forms apart', async (t) => {
  const [file = ''] = filesOf((await get('/dashboard')).body).filter((path) => path.endsWith('.js'));
  const plain = await get(file);
  t.is(plain.headers['content-encoding'], undefined);
  const asChrome = await get(file, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  t.is(asChrome.headers['content-encoding'], 'br');
  t.deepEqual(brotliDecompressSync(asChrome.body), plain.body);
  const asOlder = await get(file, { 'accept-encoding': 'gzip' });
  t.is(asOlder.headers['content-encoding'], 'gzip');
  t.deepEqual(gunzipSync(asOlder.body), plain.body);
  t.is((await get(file, { 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding'], 'gzip');
  const forms = [plain, asChrome, asOlder];
  for (const { headers, body } of forms) {
    t.is(headers.vary, 'Accept-Encoding');
    t.is(Number(headers['content-length']), body.length);
  }
  t.is(new Set(forms.map(({ headers }) => headers.etag)).size, 3);
});

test('dashboard 304: a browser that has the page gets no second copy; HEAD gets none at all', async (t) => {
  const { headers, body } = await get('/dashboard/items', { 'accept-encoding': 'br' });
  const again = await get('/dashboard/items', { 'accept-encoding': 'br', 'if-none-match': headers.etag ?? '' });
  t.is(again.status, 304);
  t.is(again.body.length, 0);
  const head = await get('/dashboard/items', { method: 'HEAD', 'accept-encoding': 'br' });
  t.is(head.body.length, 0);
  t.is(Number(head.headers['content-length']), body.length);
});

test('dashboard: nothing runs there but what was built, and no other page frames it', async (t) => {
  const { headers, body } = await get('/dashboard');
  const policy = String(headers['content-security-policy']).split('; ');
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    t.true(policy.includes(rule), rule);
  t.true(policy.includes("require-trusted-types-for 'script'"));
  t.true(policy.includes("img-src 'self' data: https://cdn.example"), 'and images come from where they are linked');
  t.false(policy.join(' ').includes('unsafe'));
  // The policy would stop them.
  t.notRegex(body.toString(), /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
});

test('dashboard: the first load (page, script, style) is under 45 KB as it is sent', async (t) => {
  const page = await get('/dashboard', { 'accept-encoding': 'br' });
  const files = filesOf(brotliDecompressSync(page.body)).filter((path) => /\.(js|css)$/.test(path));
  const sizes = await Promise.all(
    files.map(async (path) => (await get(path, { 'accept-encoding': 'br' })).body.length),
  );
  const total = sizes.reduce((sum, size) => sum + size, page.body.length);
  t.true(total < 45_000, `${total} bytes`);
});
