import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import type { EventType } from '../../features/webhooks/rules/event-types.ts';
import type { AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { aReseller } from '../support/a-reseller.ts';
import { until } from '../support/until.ts';
import { callAdmin, untilMarketplaceStatus, withWorld, type TestAccount, type World } from '../support/world.ts';
import { aPair, firstReferences, untilTold, whatWasTold, type Pair } from './support/a-pair.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import { listWebhookDeliveries, readWebhookDelivery, redeliver } from '../../features/webhooks/webhook-deliveries.ts';
import { recordDirectSale } from '../../features/orders/record-direct-sale.ts';
import { readEvents } from '../../features/webhooks/read-events.ts';
import { removeMember } from '../../features/resellers/remove-member.ts';
import { disconnectMember } from '../../features/resellers/leave-reseller.ts';
import { sendTestEvent } from '../../features/webhooks/register-webhook.ts';
import { changeWebhook } from '../../features/webhooks/manage-webhooks.ts';
import { recoverTarget } from '../../features/webhooks/recover-target.ts';
import { present } from '../support/clock.ts';

// Two members of one reseller with items of the same external ids: whoever has a right to hear of one of them is told of
// just that one, under the reference that the reseller has for its owner at that moment.

let world: World;
withWorld(test, (started) => (world = started));

const [picture = ''] = readdirSync('examples/catalogue/images');
const admin = (path: string, body?: object): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
/** As {@link whatWasTold} says it; `what` is event type and external id. */
const line = (what: string, { id }: { id: string }, reference = 'none'): string => `${what} ${id} ${reference}`;

/** The id of the item's auction, once it is up. */
async function adOf(account: TestAccount, externalId: string): Promise<string> {
  await untilMarketplaceStatus(account, externalId, 'active');
  return (await account.status(externalId)).status.marketplaceAdId ?? '';
}

/** Requests to the members endpoint of this reseller fail until the returned function is called. */
async function failMembersEndpoint({ reseller }: Pair): Promise<() => Promise<unknown>> {
  const path = `^/hooks/${reseller.scope.accountId}$`;
  const { receiver } = world;
  const fault = { path, mode: 'status', status: 503 };
  const { id } = await callAdmin<{ id: string }>(`${receiver.adminUrl}/faults`, 'POST', fault);
  return () => callAdmin(`${receiver.adminUrl}/faults/${id}`, 'DELETE');
}

const attemptsFor = async (account: AccountId, externalId: string) => {
  const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
  const query = readWebhookDeliveryQuery({ externalId });
  return (await listWebhookDeliveries(world.context, scope, query)).deliveries;
};

const untilAttempted = ({ reseller }: Pair, externalId: string) =>
  until(`an attempt to tell of ${externalId}`, async () => {
    const attempts = await attemptsFor(reseller.scope.accountId, externalId);
    return attempts.length > 0 && attempts;
  });

/** Everything that is owed to the reseller's endpoints has ended: nothing more will come. */
const untilNothingPending = ({ reseller }: Pair): Promise<unknown> =>
  until('no delivery is pending', async () => {
    const deliveries = world.foundation.store.connection.collection('deliveries');
    return (await deliveries.countDocuments({ accountId: reseller.scope.accountId, state: 'pending' })) === 0;
  });

// specification: account-memberexternalid-only-on
test('whatever happens to items of the same id, each of those concerned is told of its own, signed with the secret of its endpoint', async (t) => {
  const pair = await aPair(world);
  const { first, second, reseller } = pair;
  const stranger = await world.account();
  const content = { imageUrls: [`${world.images.url}/${picture}`] };
  await pair.pushFor(first, 'BX-1', { content, autoPublish: true });
  await second.push('BX-1', content, { autoPublish: true });
  await pair.pushFor(null, 'BX-1');
  await stranger.push('BX-1');
  const firstAd = await adOf(first, 'BX-1');
  await admin(`/listings/${firstAd}/bids`, { amount: 725 });
  await admin(`/listings/${firstAd}/end`);
  await admin(`/listings/${await adOf(second, 'BX-1')}/end`);
  await pair.pushFor(second, 'BX-2', { autoPublish: true });
  await admin(`/listings/${await adOf(second, 'BX-2')}/bids`, { amount: 725 });
  await second.changePrice('BX-2', 5_000);
  const ofFirst: EventType[] = ['item.created', 'item.images_ready', 'listing.created', 'item.sold'];
  const ofSecond: EventType[] = ['item.created', 'item.images_ready', 'listing.created', 'listing.ended'];
  const ofOther: EventType[] = ['item.created', 'listing.created', 'listing.failed'];
  const expected = (reference: (member: 'first' | 'second') => string | undefined): string[][] => [
    ofFirst.map((type) => line(`${type} BX-1`, first, reference('first'))).toSorted(),
    [
      ...ofSecond.map((type) => line(`${type} BX-1`, second, reference('second'))),
      ...ofOther.map((type) => line(`${type} BX-2`, second, reference('second'))),
    ].toSorted(),
  ];
  const [toldFirst = [], toldSecond = []] = expected(() => undefined);
  t.deepEqual(whatWasTold(await untilTold(() => first.received(), toldFirst.length)), toldFirst);
  t.deepEqual(whatWasTold(await untilTold(() => second.received(), toldSecond.length)), toldSecond);
  const toldReseller = expected((member) => firstReferences[member])
    .flat()
    .toSorted();
  const got = await untilTold(pair.told, toldReseller.length);
  t.deepEqual(whatWasTold(got), toldReseller);
  const itself = { id: reseller.scope.accountId };
  t.deepEqual(whatWasTold(await untilTold(pair.toldOfItself, 1)), [line('item.created BX-1', itself)]);
  t.deepEqual(whatWasTold(await untilTold(() => stranger.received(), 1)), [line('item.created BX-1', stranger)]);
  await untilNothingPending(pair);
  t.is((await pair.told()).length + (await pair.toldOfItself()).length, toldReseller.length + 1, 'and of nothing else');
  await assertSameEvents(t, pair);
});

/** What the reseller is told is what the member is told: the same event, and in its data nothing more than the reference. */
async function assertSameEvents(t: ExecutionContext, { first, second, told }: Pair): Promise<void> {
  const own = [...(await first.received()), ...(await second.received())];
  for (const { body } of await told()) {
    const twin = own.find(({ body: { eventId } }) => eventId === body.eventId)?.body;
    const { memberExternalId, ...account } = body.data['account'] as Record<string, string>;
    t.is(typeof memberExternalId, 'string');
    t.deepEqual({ ...body, data: { ...body.data, account } }, { ...body, ...twin, data: { ...twin?.data } as never });
  }
}

test('a direct sale of one member is told to it and to its reseller, and the other member’s item stays for sale', async (t) => {
  const pair = await aPair(world);
  const { first, second } = pair;
  await Promise.all([first.push('S-1'), second.push('S-1')]);
  const sale = { externalId: 'S-1', platform: 'service_card', amountOre: 34_950, isPaid: false } as const;
  await recordDirectSale(world.context, second.scope, sale);
  const got = await untilTold(pair.told, 3);
  t.deepEqual(
    whatWasTold(got),
    [
      line('item.created S-1', first, 'butik-1'),
      line('item.created S-1', second, 'butik-2'),
      line('item.sold S-1', second, 'butik-2'),
    ].toSorted(),
  );
  t.not((await first.status('S-1')).status.serviceStatus, 'sold');
  t.deepEqual(await first.received('item.sold'), []);
});

// specification: account-memberexternalid-only-on
test('references that two members exchange: what comes next, and the feed, carry those of now', async (t) => {
  const pair = await aPair(world);
  const { first, second } = pair;
  await Promise.all([first.push('R-1'), second.push('R-1')]);
  await untilTold(pair.told, 2);
  await pair.swapReferences();
  await Promise.all([first.push('R-2'), second.push('R-2')]);
  t.deepEqual(
    whatWasTold(await untilTold(pair.told, 4)),
    [
      line('item.created R-1', first, 'butik-1'),
      line('item.created R-1', second, 'butik-2'),
      line('item.created R-2', first, 'butik-2'),
      line('item.created R-2', second, 'butik-1'),
    ].toSorted(),
  );
  const { events } = await readEvents(world.context, pair.scopeFor(first), { after: null, limit: 10 });
  t.deepEqual(
    events.map(({ data }) => data['account']),
    events.map(() => ({ serviceUserId: first.id, memberExternalId: 'butik-2' })),
  );
  t.is(events.length, 2);
});

// specification: account-memberexternalid-only-on
test.serial(
  'a retry after references were exchanged carries the member’s present one, and the log shows what was sent',
  async (t) => {
    const pair = await aPair(world);
    const { first, second, reseller } = pair;
    const mend = await failMembersEndpoint(pair);
    await Promise.all([first.push('T-1'), second.push('T-1')]);
    await untilAttempted(pair, 'T-1');
    await pair.swapReferences();
    await mend();
    const got = await untilTold(pair.told, 2);
    t.deepEqual(
      whatWasTold(got),
      [line('item.created T-1', first, 'butik-2'), line('item.created T-1', second, 'butik-1')].toSorted(),
    );
    const log = await until('both are logged', async () => {
      const attempts = await attemptsFor(reseller.scope.accountId, 'T-1');
      return attempts.filter(({ status }) => status === 'success').length === 2 && attempts;
    });
    const sent = got.map(({ rawBase64 }) => Buffer.from(rawBase64, 'base64').toString('utf8'));
    for (const { id, status } of log) {
      const body = (await readWebhookDelivery(world.context, reseller.scope, id)).request.body ?? '';
      if (status === 'success') t.true(sent.includes(body));
      const of = body.includes(first.id) ? 'first' : 'second';
      const hadThen = { first: 'butik-1', second: 'butik-2' }[of];
      const hasNow = { first: 'butik-2', second: 'butik-1' }[of];
      t.is(JSON.parse(body).data.account.memberExternalId, status === 'success' ? hasNow : hadThen, `${status} ${of}`);
    }
    t.true(log.some(({ status }) => status === 'failed'));
    t.deepEqual(whatWasTold(await untilTold(() => first.received(), 1)), [line('item.created T-1', first)]);
  },
);

// specification: members-scope-deliveries-stop
test.serial(
  'a member that leaves in the middle: its reseller is told no more, it itself and the other member’s items go on',
  async (t) => {
    const pair = await aPair(world);
    const { first, second, reseller } = pair;
    const mend = await failMembersEndpoint(pair);
    await first.push('L-1');
    const [attempt] = await untilAttempted(pair, 'L-1');
    await disconnectMember(world.context, first.scope);
    await mend();
    await untilNothingPending(pair);
    await first.push('L-2');
    await second.push('L-1');
    t.deepEqual(whatWasTold(await untilTold(() => first.received(), 2)), [
      line('item.created L-1', first),
      line('item.created L-2', first),
    ]);
    t.deepEqual(whatWasTold(await untilTold(pair.told, 1)), [line('item.created L-1', second, 'butik-2')]);
    const again = redeliver(world.context, reseller.scope, attempt?.id ?? '');
    t.like(await t.throwsAsync(again), { code: 'CONFLICT' });
    const feed = readEvents(world.context, pair.scopeFor(first), { after: null, limit: 10 });
    t.like(await t.throwsAsync(feed), { code: 'PARTNER_ACCOUNT_FORBIDDEN' });

    await reseller.takeIn(first, 'kom-tillbaka');
    await first.push('L-3');
    t.deepEqual(
      whatWasTold(await untilTold(pair.told, 2)),
      [line('item.created L-1', second, 'butik-2'), line('item.created L-3', first, 'kom-tillbaka')].toSorted(),
      'what happened meanwhile is never sent',
    );
    await redeliver(world.context, reseller.scope, attempt?.id ?? '');
    t.true(
      whatWasTold(await untilTold(pair.told, 3)).includes(line('item.created L-1', first, 'kom-tillbaka')),
      'what happened while it was a member may be sent again, under its reference of now',
    );
  },
);

// specification: members-scope-deliveries-stop
test('a member that goes to another reseller under the same reference: each reseller is told of its own time', async (t) => {
  const pair = await aPair(world);
  const { first, reseller } = pair;
  const other = await aReseller(world);
  await first.push('C-1');
  await untilTold(pair.told, 1);
  await removeMember(world.context, reseller.scope, first.scope.accountId);
  await other.takeIn(first, firstReferences.first);
  await first.push('C-2');
  t.deepEqual(whatWasTold(await untilTold(() => other.received(), 1)), [line('item.created C-2', first, 'butik-1')]);
  await untilNothingPending(pair);
  t.deepEqual(whatWasTold(await pair.told()), [line('item.created C-1', first, 'butik-1')]);
});

test('a recovery sends what was missed of both members, each under its reference of now', async (t) => {
  const pair = await aPair(world);
  const { first, second, membersEndpoint, reseller } = pair;
  const since = present(-1_000);
  await changeWebhook(world.context, reseller.scope, { endpointId: membersEndpoint, change: { active: false } });
  await Promise.all([first.push('M-1'), second.push('M-1')]);
  await Promise.all([untilTold(() => first.received(), 1), untilTold(() => second.received(), 1)]);
  await pair.swapReferences();
  await changeWebhook(world.context, reseller.scope, { endpointId: membersEndpoint, change: { active: true } });
  t.deepEqual(await pair.told(), []);
  await recoverTarget(world.context, reseller.scope, { endpointId: membersEndpoint, since });
  t.deepEqual(
    whatWasTold(await untilTold(pair.told, 2)),
    [line('item.created M-1', first, 'butik-2'), line('item.created M-1', second, 'butik-1')].toSorted(),
  );
});

test('a test of the members endpoint names no member of the reseller, and no member hears of it', async (t) => {
  const pair = await aPair(world);
  const { first, second, reseller, membersEndpoint } = pair;
  await sendTestEvent(world.context, reseller.scope, { endpointId: membersEndpoint, eventType: 'item.sold' });
  const [got] = await untilTold(pair.told, 1);
  t.deepEqual(got?.body.data['account'], {
    serviceUserId: reseller.scope.accountId,
    memberExternalId: 'itembridge-test',
  });
  t.deepEqual([await pair.toldOfItself(), await first.received(), await second.received()], [[], [], []]);
});

test('logs of deliveries are those of whoever has the endpoint: a member’s has only its own, a reseller’s those of its endpoints', async (t) => {
  const pair = await aPair(world);
  const { first, second, reseller, membersEndpoint } = pair;
  await Promise.all([first.push('G-1'), second.push('G-1')]);
  const logOf = (accountId: AccountId, count: number) =>
    until(`${count} log records`, async () => {
      const log = await attemptsFor(accountId, 'G-1');
      return log.length >= count && log;
    });
  const [ofFirst, ofSecond, ofReseller] = await Promise.all([
    logOf(first.id, 1),
    logOf(second.id, 1),
    logOf(reseller.scope.accountId, 2),
  ]);
  t.deepEqual([ofFirst.length, ofSecond.length, ofReseller.length], [1, 1, 2]);
  t.deepEqual(
    ofReseller.map((record) => record.eventId).toSorted(),
    [...ofFirst, ...ofSecond].map((record) => record.eventId).toSorted(),
  );
  t.true(ofReseller.every((record) => record.endpointId === membersEndpoint));
  const others = [...ofSecond, ...ofReseller];
  for (const { id } of others)
    t.like(await t.throwsAsync(readWebhookDelivery(world.context, first.scope, id)), { code: 'NOT_FOUND' });
  const missing = changeWebhook(world.context, first.scope, {
    endpointId: membersEndpoint,
    change: { active: false },
  });
  t.like(await t.throwsAsync(missing), { code: 'NOT_FOUND' });
});
