import { createServer } from 'node:http';
import test from 'ava';
import { createItembridgeClient } from '../../client/create-itembridge-client.ts';
import { ItembridgeError } from '../../client/itembridge-error.ts';
import { openSession } from '../../client/open-session.ts';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test, { registers: true });
const item = (title: string) => ({ title, price: 10, imageUrls: [] });

test('pages are asked for as they are used up, until there are no more', async (t) => {
  const { apiKey, token } = await world().account();
  const client = createItembridgeClient({ baseUrl: world().url, apiKey, session: token });
  const ids = Array.from({ length: 5 }, (_, index) => `A/${index} å?#`);
  for (const id of ids) await client.api.upsertItem({ path: { external_id: id }, body: item(id) });
  const seen: string[] = [];
  for await (const { externalId } of client.items({ limit: 2 })) seen.push(externalId);
  t.deepEqual(seen.toSorted(), ids);
  const changed: (string | null)[] = [];
  for await (const { items, nextUpdatedSince } of client.itemPages({ limit: 2, updatedSince: '1970-01-01' }))
    changed.push(...items.map(({ externalId }) => externalId), nextUpdatedSince);
  t.deepEqual([...changed.slice(0, 2), ...changed.slice(3, 5), changed[6]], ids);
  t.is(typeof changed.at(-1), 'string');
  const kinds: string[] = [];
  for await (const { kind } of client.auditLog({ limit: 1 })) kinds.push(kind);
  t.true(kinds.includes('api_key_generated') && kinds.length > 1);
  const told: string[] = [];
  for await (const { kind } of client.timeline(ids[0] ?? '')) told.push(kind);
  t.deepEqual(told, ['created']);
  for await (const _ of client.orders()) t.fail('there are no orders');
  const events: string[] = [];
  for await (const { eventType } of client.events()) events.push(eventType);
  t.deepEqual(
    events,
    ids.map(() => 'item.created'),
  );
});

test('the service answers as the generated types say, and refuses with code, details and request id', async (t) => {
  const { apiKey } = await world().account();
  const client = createItembridgeClient({ baseUrl: world().url, apiKey });
  const path = { external_id: 'A-1' };
  const { data, response } = await client.api.upsertItem({ path, body: item('a') });
  t.is(response.status, 202);
  t.is('itemId' in data ? data.message : '', 'Item created');
  const read = await client.api.getItem({ path });
  t.regex(read.response.headers.get('etag') ?? '', /\.1"$/);
  const error = await t.throwsAsync(client.api.upsertItem({ path, body: { ...item(''), price: 0 } }), {
    instanceOf: ItembridgeError,
  });
  t.like(error, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(error.details.map(({ field }) => field).toSorted(), ['price', 'title']);
  t.truthy(error.requestId);
  const problems = error.details.map(({ field, message }) => `${field} ${message}`).join('; ');
  t.is(error.message, `422 VALIDATION_FAILED: ${problems} (request ${error.requestId})`);
  t.is(error.reason, 'Validation failed');
});

test('the types know the other names of images and domains, and so does the service', async (t) => {
  const { apiKey } = await world().account();
  const { api } = createItembridgeClient({ baseUrl: world().url, apiKey });
  const fields = { title: 'Strålkastare', price: 450 };
  const domain = { domain: 'bildelar', part: { oemNumber: '31400764' } } as const;
  const images = ['https://images.example.com/1.jpg'];
  const sent = await Promise.all([
    api.upsertItem({ path: { external_id: 'A' }, body: { ...fields, images, domain } }),
    api.upsertItem({ path: { external_id: 'B' }, body: { ...fields, image_urls: images, domain } }),
    api.batchUpsertItems({ body: { items: [{ externalId: 'C', ...fields, images, domain }] } }),
  ]);
  t.deepEqual(
    sent.map(({ response }) => response.status),
    [202, 202, 200],
  );
  for (const id of ['A', 'B', 'C']) {
    const { data } = await api.getItem({ path: { external_id: id }, query: { view: 'full' } });
    t.like(data, { imageUrls: images, extendedAttributes: { domain: 'auto_parts' } }, id);
  }
  // @ts-expect-error -- the list is required, under one of its names
  await t.throwsAsync(api.upsertItem({ path: { external_id: 'D' }, body: fields }), { instanceOf: ItembridgeError });
});

test('a reseller acts for a member by its reference, and for nobody by another', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const as = (partnerAccount: string) =>
    createItembridgeClient({ baseUrl: world().url, apiKey: reseller.apiKey, partnerAccount });
  const path = { external_id: 'A-1' };
  await as(member.reference).api.upsertItem({ path, body: item('a') });
  const own = createItembridgeClient({ baseUrl: world().url, apiKey: member.apiKey });
  t.is((await own.api.getItem({ path })).response.status, 200);
  const error = await t.throwsAsync(as('somebody').api.listItems(), { instanceOf: ItembridgeError });
  t.is(error.code, 'PARTNER_ACCOUNT_FORBIDDEN');
});

test('a call that was done although its answer got lost is answered again and not done again', async (t) => {
  const { token } = await world().account();
  // Stands between the two, and loses the first answer.
  let lost = 0;
  const between = createServer((request, response) => {
    relay(request.url ?? '', { method: request.method ?? '', headers: request.headers }).then(
      (answer) => {
        if ((lost += 1) === 1) request.socket.destroy();
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
      },
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  t.teardown(() => between.close());
  const baseUrl = `http://127.0.0.1:${(between.address() as { port: number }).port}`;
  const client = createItembridgeClient({ baseUrl, session: token, retries: { firstDelayMs: 1 } });
  const { data } = await client.api.generateApiKey({});
  t.is(lost, 2);
  const { keys } = (await createItembridgeClient({ baseUrl: world().url, session: token }).api.listApiKeys()).data;
  t.is(keys.filter(({ prefix }) => data.apiKey.startsWith(prefix)).length, 1);
  t.is(keys.length, 2);
});

async function relay(
  path: string,
  { method, headers }: { method: string; headers: NodeJS.Dict<string | string[]> },
): Promise<{ status: number; text: string }> {
  const kept = ['authorization', 'idempotency-key', 'content-type'].flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  const response = await fetch(world().url + path, { method, headers: kept });
  return { status: response.status, text: await response.text() };
}

test('a session stays signed in until it is closed, and then is over', async (t) => {
  const { email, password } = await world().account();
  const session = await openSession({ baseUrl: world().url, email, password });
  const client = createItembridgeClient({ baseUrl: world().url, session: session.token });
  t.is((await client.api.getOwnAccount()).data.email, email);
  const token = await session.token();
  await session.close();
  const after = createItembridgeClient({ baseUrl: world().url, session: token });
  await t.throwsAsync(after.api.getOwnAccount(), { instanceOf: ItembridgeError });
  await t.throwsAsync(openSession({ baseUrl: world().url, email, password: 'wrong password' }), {
    instanceOf: ItembridgeError,
  });
});
