import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { startApiWorld, withApiWorld } from '../support/api-world.ts';
import { few, limitsOn } from '../support/with-limits.ts';
import { aVisitor, wordsOf, type Page } from './support/a-visitor.ts';

/** Whose browser meets a bug. */
const buggy = randomBytes(16).toString('base64url');
const world = withApiWorld(test, {
  replace: ({ pageTokens }) => ({
    pageTokens: {
      ...pageTokens,
      signForm: (holder, now) => {
        if (holder === `visitor:${buggy}`) throw new TypeError('secret inside of the service');
        return pageTokens.signForm(holder, now);
      },
    },
  }),
});

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

function isSafePage(t: ExecutionContext, page: Page): void {
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', page.path);
  t.is(page.headers.get('content-security-policy'), policy, page.path);
  t.is(page.headers.get('cache-control'), 'no-store', page.path);
  t.is(page.headers.get('referrer-policy'), 'same-origin', page.path);
  t.is(page.headers.get('x-frame-options'), 'DENY', page.path);
  t.is(page.headers.get('access-control-allow-origin'), null, page.path);
  t.truthy(page.headers.get('x-request-id'));
  t.notRegex(page.text, /<script|\sstyle=|\son\w+=|javascript:/i, page.path);
  t.regex(page.text, /^<!doctype html>\s*<html lang="(sv|en)">/);
  t.is(page.text.match(/<h1[\s>]/g)?.length, 1, page.path);
}

// specification: public-url-p-slug
test('every page runs no script, is not framed, not cached and has one heading, in every state', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const [stranger, own, visitor] = [aVisitor(world()), aVisitor(world()), aVisitor(world())];
  await own.logIn(reseller);
  await visitor.logIn(member);
  const path = `/p/${reseller.slug}`;
  const first = await stranger.open(path);
  const pages = [
    first,
    await stranger.send(first, 'sign-up', { fields: { email: 'x' } }),
    await own.open(path),
    await visitor.open(path),
    await visitor.post(`${path}/join`, {}),
    await stranger.open('/p/finns-inte'),
    await stranger.post(`${path}/join`, {}, { headers: {} }),
  ];
  t.deepEqual(
    pages.map(({ status }) => status),
    [200, 422, 200, 200, 403, 404, 403],
  );
  for (const page of pages) isSafePage(t, page);
});

test('ids are there once, every field has its label, and what describes a field exists', async (t) => {
  const reseller = await world().reseller();
  const visitor = aVisitor(world());
  const first = await visitor.open(`/p/${reseller.slug}`);
  for (const { text } of [first, await visitor.send(first, 'sign-up', { fields: { email: 'x' } })]) {
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    t.is(new Set(ids).size, ids.length);
    const fields = [...text.matchAll(/<input\s(?!type="hidden")[^>]*\sid="([^"]+)"/g)].map(([, id]) => id ?? '');
    t.is(fields.length, 6);
    for (const id of fields) t.true(text.includes(`<label for="${id}">`), id);
    const named = [...text.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    for (const name of named) t.true(ids.includes(name), name);
  }
});

test('stylesheet and icon come from here, are kept for good under their names, and another version gets what there is', async (t) => {
  const reseller = await world().reseller();
  const page = await aVisitor(world()).open(`/p/${reseller.slug}`);
  const files = [...page.text.matchAll(/<link rel="[^"]+" href="([^"]+)"/g)].map(([, href = '']) => href);
  t.is(files.length, 2);
  for (const file of files) {
    const got = await aVisitor(world()).open(file);
    t.is(got.status, 200);
    t.is(got.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.regex(got.headers.get('content-type') ?? '', /^(text\/css; charset=utf-8|image\/svg\+xml)$/);
    const older = await aVisitor(world()).open(file.replace(/\.[0-9a-f]{12}\./, '.000000000000.'));
    t.deepEqual([older.status, older.headers.get('cache-control')], [200, 'no-cache']);
    t.is(older.text, got.text);
  }
  for (const path of ['/p/assets/x.css', '/p/assets/..%2f..%2fpackage.json', '/p/assets/constructor'])
    t.is((await aVisitor(world()).open(path)).status, 404);
});

test('errors under /p are pages in the language of the visitor, with the number of the request', async (t) => {
  const { slug } = await world().reseller();
  const visitor = aVisitor(world());
  visitor.cookies.set('visitor', { value: buggy, path: '/p' });
  for (const [path, status] of [
    ['/p/finns-inte', 404],
    ['/p', 404],
    ['/p/x/y/z', 404],
    ['/p/x/oklart', 404],
    ['/p/%zz', 400],
    [`/p/${slug}`, 500],
  ] as const) {
    const page = await visitor.open(path, { 'accept-language': 'en' });
    t.is(page.status, status, path);
    isSafePage(t, page);
    t.regex(page.text, /<html lang="en">/);
    t.true(wordsOf(page).includes(`Reference: ${page.headers.get('x-request-id') ?? '?'}`));
    t.false(page.text.includes('secret inside'));
  }
});

test('405: a page is only read and a form only sent', async (t) => {
  for (const [method, path, allow] of [
    ['POST', '/p/x', 'GET, HEAD'],
    ['DELETE', '/p/x/', 'GET, HEAD'],
    ['PUT', '/p/x/join', 'GET, HEAD, POST'],
  ] as const) {
    const response = await fetch(world().url + path, { method });
    t.is(response.status, 405, path);
    t.is(response.headers.get('allow'), allow);
    t.regex(await response.text(), /<html lang="sv">/);
  }
});

test('what programs call under /p answers programs', async (t) => {
  const reply = await world().call('POST', '/p/x/connect');
  t.is(reply.body.code, 'UNAUTHORIZED');
  t.is((await world().call('GET', '/p/x/connect')).body.code, 'METHOD_NOT_ALLOWED');
});

test('HEAD has the headers of the page and nothing else', async (t) => {
  const reseller = await world().reseller();
  const response = await fetch(`${world().url}/p/${reseller.slug}`, { method: 'HEAD' });
  t.is(response.status, 200);
  t.is(response.headers.get('content-security-policy'), policy);
  t.is(await response.text(), '');
});

test('429: pages count against their address, and say so in words', async (t) => {
  const reseller = await world().reseller();
  await limitsOn(world)({ address: few(2) }, async ({ url }) => {
    const from = { 'x-forwarded-for': `2001:db8:${reseller.id.slice(0, 4)}::1` };
    const visitor = aVisitor({ url });
    for (const remaining of [1, 0]) {
      const page = await visitor.open(`/p/${reseller.slug}`, from);
      t.is(page.status, 200);
      t.regex(page.headers.get('ratelimit') ?? '', new RegExp(`r=${String(remaining)};`));
    }
    const refused = await visitor.open(`/p/${reseller.slug}`, from);
    t.is(refused.status, 429);
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/);
    isSafePage(t, refused);
  });
});

test('503 with Retry-After, as a page, while the database is out of reach', async (t) => {
  const stranded = await startApiWorld();
  await stranded.store.close();
  const page = await aVisitor(stranded).open('/p/vem-som-helst');
  t.is(page.status, 503);
  t.regex(page.headers.get('retry-after') ?? '', /^\d+$/);
  isSafePage(t, page);
  await stranded.close();
});
