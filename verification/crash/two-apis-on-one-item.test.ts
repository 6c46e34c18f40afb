import test from 'ava';
import { journalRows, type JournalRow } from '../../features/items/store/journal.ts';
import { until } from '../../test/support/until.ts';
import { secondApi } from './support/more-processes.ts';
import { startSystem } from './support/system.ts';

const pricesOfEach = 80;
const writersOfEach = 4;

/** What a caller knows of its change. */
interface Told {
  readonly price: number;
  readonly status: number | null;
}

test('two API processes change the price of one live item, one is killed: the changes follow each other', async (t) => {
  t.timeout(240_000);
  const system = await startSystem();
  t.teardown(() => system.stop());
  const other = await secondApi(system);
  t.teardown(() => other.api.stop());
  await other.api.start();
  const item = { title: 'Bänk', price: 9_000, imageUrls: [`${system.images.url}/backspegel-1.jpg`] };
  t.is(await system.put('one', { ...item, domain: { domain: 'toys' }, autoPublishTradera: true }), 202);
  await until('it is live', async () => (await system.status('one')).marketplaceStatus === 'active', 60_000);

  const change = (api: string, price: number): Promise<Told> =>
    fetch(`${api}/integration/v1/items/one/price`, {
      method: 'PATCH',
      headers: system.headers,
      body: JSON.stringify({ price }),
    }).then(
      async (answer) => (await answer.arrayBuffer(), { price, status: answer.status }),
      () => ({ price, status: null }),
    );
  // No two changes have the same price, so that each is found in the history.
  const writers = [system.apiUrl, other.url].flatMap((api, process) =>
    Array.from({ length: writersOfEach }, (_, writer) => ({ api, first: 1_000 + 1_000 * process + writer })),
  );
  const told: Told[] = [];
  const killAfter = writers.length * (pricesOfEach / writersOfEach / 2);
  const killed = until('half of them are told', async () => told.length >= killAfter).then(() => other.api.kill9());
  const write = async ({ api, first }: (typeof writers)[number]): Promise<void> => {
    for (let n = 0; n < pricesOfEach; n += writersOfEach) told.push(await change(api, first + n));
  };
  await Promise.all(writers.map(write));
  await killed;

  const isChange = (entry: JournalRow): entry is JournalRow & { readonly kind: 'price_changed' } =>
    entry.kind === 'price_changed';
  const history = await journalRows(system.foundation.store)
    .find({ accountId: system.accountId, externalId: 'one' })
    .sort({ number: 1 })
    .toArray();
  t.deepEqual(
    history.map(({ number }) => number),
    history.map((_, index) => index + 1),
    'the numbers of the history have no gap',
  );
  const changes = history.filter(isChange).map(({ details }) => details);
  t.deepEqual(
    changes.map(({ from }) => from),
    [item.price, ...changes.slice(0, -1).map(({ to }) => to)],
    'each change begins where the one before ended',
  );
  const made = changes.map(({ to }) => to);
  t.is(new Set(made).size, made.length, 'none is made twice');
  const accepted = told.filter(({ status }) => status === 202).map(({ price }) => price);
  t.deepEqual(
    accepted.filter((price) => !made.includes(price)),
    [],
    'none that was accepted is missing',
  );
  const refused = told.filter(({ status }) => status !== null && status !== 202);
  t.true(
    refused.every(({ price, status }) => status === 503 && !made.includes(price)),
    'what was refused was told to come again, and is not made',
  );
  const unknown = told.filter(({ status }) => status === null).length;
  t.true(accepted.length >= pricesOfEach, 'the API that lives took what it was sent');
  t.true(unknown > 0, 'the other one was killed in the middle');
  const last = made.at(-1) ?? 0;
  t.is((await system.status('one')).price, last);
  await until(
    'the auction has the last price',
    async () => {
      const [ad, ...more] = (await system.listings()).filter(({ state }) => state === 'active');
      return more.length === 0 && ad?.startPrice === last;
    },
    60_000,
  );
  t.log(`${accepted.length} accepted, ${unknown} without an answer, ${refused.length} refused, ${made.length} made`);
});
