import { createServer } from 'node:http';
import test from 'ava';
import fc from 'fast-check';
import { createItembridgeClient } from '../../client/create-itembridge-client.ts';
import { ItembridgeError } from '../../client/itembridge-error.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { checkProperty } from '../support/check-property.ts';
import { listening } from '../support/listening.ts';

/** A server that remembers the paths it was asked for, and a client of it. */
async function aClient(t: { teardown: (undo: () => void) => void }) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  // On a busy machine the server would close a connection while the client uses it again.
  server.keepAliveTimeout = 0;
  const baseUrl = await listening(t, server);
  return { paths, client: createItembridgeClient({ baseUrl, apiKey: 'k', session: 's', retries: { attemptsMax: 1 } }) };
}

const isTaken = (id: string): boolean => {
  try {
    readExternalId(id);
    return true;
  } catch {
    return false;
  }
};

/** Parts that programs on the way like to change. */
const part = fc.oneof(
  fc.constantFrom('.', '..', '/', '\\', '%', '%2e', '%2F', '?', '#', ' ', '+', ';', ':', '@', '\n', '\u00A0', 'å'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
);
const anyId = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

test('every id that the service takes is asked for as it is, whatever is in it', async (t) => {
  const { client, paths } = await aClient(t);
  await checkProperty(
    t,
    fc.asyncProperty(anyId.filter(isTaken), async (id) => {
      await client.api.getItem({ path: { external_id: id } });
      await client.api.updateItemPrice({ path: { external_id: id }, body: { price: 1 } });
      const [read, price] = paths.splice(0);
      t.is(decodeURIComponent((read ?? '').replace('/integration/v1/items/', '')), id);
      t.is(price, `${read}/price`);
    }),
    { numRuns: 150 },
  );
});

for (const id of ['', '.', '..', 'a\uD800', '\uDC00', undefined, null])
  test(`an id that would change the path is refused before anything is sent: ${JSON.stringify(id)}`, async (t) => {
    const { client, paths } = await aClient(t);
    const path = { external_id: id as string };
    for (const call of [
      () => client.api.upsertItem({ path, body: { title: 'a', price: 1, imageUrls: [] } }),
      () => client.api.getItem({ path }),
      () => client.api.updateItemPrice({ path, body: { price: 1 } }),
      () => client.api.deleteItem({ path }),
      () => client.api.deleteWebhook({ path: { id: id as string } }),
      () => client.timeline(id as string).next(),
      () => client.bulkSyncs.read(id as string),
      () => client.bulkSyncs.cancel(id as string),
      () => client.bulkSyncs.errors(id as string).next(),
    ])
      t.like(await t.throwsAsync(call, { instanceOf: ItembridgeError }), { status: 400, code: 'BAD_REQUEST' });
    t.deepEqual(paths, []);
  });

test('what only looks like a dot segment is an id as any other', async (t) => {
  const { client, paths } = await aClient(t);
  for (const id of ['...', '.a', 'a.', './..', '%2e', '．', '..;'])
    await client.api.getItem({ path: { external_id: id } });
  t.deepEqual(
    paths.map((path) => decodeURIComponent(path.replace('/integration/v1/items/', ''))),
    ['...', '.a', 'a.', './..', '%2e', '．', '..;'],
  );
});
