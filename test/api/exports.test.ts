import test from 'ava';
import { csvRows } from '../../client/files/csv-rows.ts';
import { withApiWorld, isError } from '../support/api-world.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);

/** The rows of a file, by our own reader of CSV, without their heading. */
async function rowsOf(token: string, path: string): Promise<string[][]> {
  const { status, text } = await world().call('GET', path, { token });
  if (status !== 200) throw new Error(text);
  const rows: string[][] = [];
  const dialect = { separator: path.includes('language=en') ? ',' : ';', newline: '\n' } as const;
  for await (const { cells } of csvRows(piecesOf(text), dialect)) rows.push([...cells]);
  return rows.slice(1);
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text;
}

const attempt = (accountId: string, n: number) => ({
  ...{ _id: `att_${accountId}_${n}`, accountId, deliveryId: `dlv_${n}`, endpointId: null, eventId: `evt_${n}` },
  ...{ externalId: n === 7 ? '=cmd|x' : `A${n}`, eventType: 'item.created', attempt: 1, status: 'failed' },
  ...{ errorMessage: 'answered 500', httpStatus: 500, durationMs: 12, responseStart: '' },
  createdAt: present(-3_600_000 + n),
});

test('a file has the whole list by its filters, also over several pages, and nothing of another account', async (t) => {
  const [own, other] = [await world().account(), await world().account()];
  const rows = Array.from({ length: 450 }, (_, n) => attempt(own.id, n));
  await world()
    .store.connection.collection<{ _id: string }>('delivery_attempts')
    .insertMany([...rows, attempt(other.id, 1)]);
  const all = await rowsOf(own.token, '/partner/webhook-deliveries.csv');
  t.is(all.length, 450);
  t.is(all[0]?.[2], 'A449');
  t.is(all.at(-8)?.[2], "'=cmd|x");
  const one = await rowsOf(own.token, '/partner/webhook-deliveries.csv?externalId=A3&language=en');
  t.deepEqual(
    one.map((cells) => cells[2]),
    ['A3'],
  );
});

test('orders are a file for bookkeeping, with title and the VAT within the price', async (t) => {
  const { token, apiKey } = await world().account();
  const item = { title: 'Lampa; "grön"', price: 125, imageUrls: [], listing: { vatPercent: 25 } };
  await world().call('PUT', '/integration/v1/items/VAT-1', { apiKey, body: item });
  const sale = { externalId: 'VAT-1', platform: 'service_card', amount: 125.5, status: 'paid' };
  t.is((await world().call('POST', '/partner/orders', { token, body: sale })).status, 201);
  const [row] = await rowsOf(token, '/partner/orders.csv');
  t.is(row?.[7], 'Lampa; "grön"');
  t.deepEqual(row?.slice(9, 12), ['125,5', '25', '25,1']);
  t.regex(row?.[1] ?? '', /^\d{4}-\d\d$/);
  // States are told in the words of the pages.
  t.is(row?.[5], 'Betald');
  t.is(row?.[8], 'Direkt, kort');
  t.is((await rowsOf(token, '/partner/orders.csv?language=en'))[0]?.[5], 'Paid');
  t.is((await rowsOf(token, '/partner/items.csv?q=lampa')).length, 1);
});

test('a file has no parameters of pages, and refuses before its first line', async (t) => {
  const { token } = await world().account();
  for (const query of ['limit=5', 'cursor=x', 'status=unknown', 'language=fr'])
    isError(t, await world().call('GET', `/partner/orders.csv?${query}`, { token }), {
      status: 400,
      code: 'BAD_REQUEST',
    });
});
