import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { pushCatalogue } from '../../examples/push-catalogue.ts';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A catalogue of its own and an API that answers what the test says; the last answer is repeated. */
function anErp(items: readonly object[], answers: readonly (Response | Error)[]) {
  const catalogueFile = join(mkdtempSync(join(tmpdir(), 'catalogue-')), 'catalogue.ndjson');
  writeFileSync(catalogueFile, items.map((item) => JSON.stringify(item)).join('\n'));
  const sent: Sent[] = [];
  const fakeFetch: typeof fetch = async (url, init) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ url: url as string, headers: new Headers(init?.headers), body: JSON.parse(init?.body as string) });
    if (answer instanceof Response) return answer.clone();
    throw answer ?? new Error('no answer');
  };
  const push = (attemptsMax = 6) =>
    pushCatalogue({
      apiUrl: 'http://api.example',
      apiKey: 'sk_live_x',
      imagesUrl: 'https://images.example/',
      catalogueFile,
      attemptsMax,
      fetch: fakeFetch,
    });
  return { push, sent };
}
const anItem = {
  externalId: 'A 1/2',
  account: 'butik-umea',
  title: 'Sak',
  price: 10,
  images: ['a.jpg'],
  expected: { statusCode: 202, field: null },
};
const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });
const accepted = (message = 'Item created'): Response => json(202, { success: true, itemId: 'id-1', message });

test("an item goes out as one PUT under its own id, for its member, with the pictures as addresses and nothing of the ERP's own", async (t) => {
  const { push, sent } = anErp([anItem], [accepted()]);
  const { created, itemIds } = await push();
  t.is(sent[0]?.url, 'http://api.example/integration/v1/items/A%201%2F2');
  t.is(sent[0]?.headers.get('x-api-key'), 'sk_live_x');
  t.is(sent[0]?.headers.get('x-partner-account'), 'butik-umea');
  t.deepEqual(sent[0]?.body, { title: 'Sak', price: 10, imageUrls: ['https://images.example/a.jpg'] });
  t.deepEqual({ created, itemIds }, { created: 1, itemIds: { 'A 1/2': 'id-1' } });
});

test("the reseller's own item names no member", async (t) => {
  const { push, sent } = anErp([{ ...anItem, account: null }], [accepted()]);
  await push();
  t.false(sent[0]?.headers.has('x-partner-account'));
});

test('what the answer says is counted: updated, unchanged, warnings', async (t) => {
  const warned = json(202, {
    success: true,
    itemId: 'id-2',
    message: 'Item updated',
    warnings: [{ field: 'price', message: 'rounded' }],
  });
  t.like(await anErp([anItem], [warned]).push(), {
    updated: 1,
    warnings: [{ externalId: 'A 1/2', field: 'price', message: 'rounded' }],
  });
  t.like(await anErp([anItem], [accepted('Item updated (unchanged)')]).push(), { unchanged: 1 });
});

test('429 waits as long as it is told, 503 and a broken connection are tried again', async (t) => {
  const { push, sent } = anErp(
    [anItem],
    [
      json(429, { error: 'slow down' }, { 'retry-after': '0' }),
      json(503, {}, { 'retry-after': '0' }),
      new Error('reset'),
      accepted(),
    ],
  );
  t.like(await push(), { created: 1, retries: 3 });
  t.is(sent.length, 4);
});

test('a refusal is not tried again and is reported with its fields', async (t) => {
  const { push, sent } = anErp(
    [anItem],
    [json(422, { error: 'Validation failed', details: [{ field: 'price', message: 'must be >= 1' }] })],
  );
  t.like(await push(), {
    created: 0,
    refused: [{ externalId: 'A 1/2', statusCode: 422, message: 'Validation failed', fields: ['price'] }],
  });
  t.is(sent.length, 1);
});

test('an API that never answers is given up after the attempts, not thrown', async (t) => {
  const { push, sent } = anErp([anItem], [new Error('refused')]);
  t.like(await push(2), { refused: [{ externalId: 'A 1/2', statusCode: 0 }] });
  t.is(sent.length, 2);
});
