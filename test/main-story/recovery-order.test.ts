import test from 'ava';
import { aLine } from '../bulk-syncs/support/bulk-calls.ts';
import { callApi, createPeople, type ApiWorld } from '../support/api-world.ts';
import { startServedWorld, type ServedWorld } from '../support/served-world.ts';
import { until } from '../support/until.ts';
import { callAdmin, type ReceivedWebhook } from '../support/world.ts';

// What docs/reference/webhooks.md promises of a recovery: oldest first, in the order in which the events were stored. That is
// the order of the events feed. Over HTTP alone, so that it holds for any engine.

let world: ServedWorld;
test.before(async () => {
  world = await startServedWorld({ workers: false });
});
test.after.always(() => world.stop());

const call: ApiWorld['call'] = (method, path, options = {}) => callApi(world.api.url, { method, path, ...options });

/** An account whose only endpoint is switched off. */
async function aSeller() {
  const { account } = createPeople({ call, grant: () => Promise.reject(new Error('there are no resellers here')) });
  const { id, token, apiKey } = await account();
  const url = `${world.receiver.url}/hooks/${id}`;
  const { body: hook } = await call('POST', '/integration/webhooks', { token, body: { url, eventTypes: [] } });
  const path = `/integration/webhooks/${hook.id}`;
  const since = new Date(Date.parse(hook.createdAt) - 3_600_000).toISOString();
  const change = (active: boolean) => call('PATCH', path, { token, body: { active } });
  await change(false);
  return {
    put: (externalId: string, fields: object = {}) =>
      call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: aLine(externalId, fields) }),
    enable: () => change(true),
    recover: (query = '') => call('POST', `${path}/recover${query}`, { token, body: { since } }),
    recoveries: () => call('GET', `${path}/recoveries`, { token }),
    feed: () => call('GET', '/integration/events', { token }),
    received: () => callAdmin<{ received: ReceivedWebhook[] }>(`${world.receiver.adminUrl}/received?path=/hooks/${id}`),
  };
}

type Seller = Awaited<ReturnType<typeof aSeller>>;

const idsOf = (events: readonly { readonly eventId: string; readonly data: { readonly externalId: string } }[]) =>
  events.map(({ eventId, data }) => `${data.externalId} ${eventId}`);

/** What the feed has, and what a recovery sends, once so many events are missed. */
async function recovered(seller: Seller, count: number): Promise<{ feed: string[]; sent: string[] }> {
  await until(`${count} events are missed`, async () => (await seller.recover('?dryRun=true')).body.count === count);
  const feed = idsOf((await seller.feed()).body.events);
  await seller.enable();
  const begun = await seller.recover();
  if (begun.status !== 202) throw new Error(begun.text);
  await until(
    'the recovery has ended',
    async () => (await seller.recoveries()).body.recoveries[0].state === 'finished',
  );
  return { feed, sent: idsOf((await seller.received()).received.map(({ body }) => body)) };
}

test.serial(
  'five missed events are sent again in the order of the feed, whatever order they were caused in',
  async (t) => {
    const seller = await aSeller();
    for (const externalId of ['A1', 'A2', 'A3', 'A4', 'A5']) t.is((await seller.put(externalId)).status, 202);
    // No worker is there yet. A1 is written again before its first event is stored, which comes behind the others then.
    t.is((await seller.put('A1', { title: 'A new title' })).status, 202);
    await world.startWorkers();
    const { feed, sent } = await recovered(seller, 5);
    t.is(feed.length, 5);
    t.deepEqual(sent, feed);
  },
);

test.serial('events of twenty items that are pushed at once are sent again in the order of the feed', async (t) => {
  const seller = await aSeller();
  const pushed = await Promise.all(Array.from({ length: 20 }, (_, n) => seller.put(`A${n}`)));
  t.true(pushed.every(({ status }) => status === 202));
  const { feed, sent } = await recovered(seller, 20);
  t.is(feed.length, 20);
  t.deepEqual(sent, feed);
});
