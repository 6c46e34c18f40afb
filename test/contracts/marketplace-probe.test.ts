import test, { type ExecutionContext } from 'ava';
import { compareDocument } from '../../gateways/marketplace/probe/compare-document.ts';
import type { Finding } from '../../gateways/marketplace/probe/findings.ts';
import { probeMarketplace, type ProbeSettings } from '../../gateways/marketplace/probe/probe-marketplace.ts';
import { usualWireSettings } from '../../gateways/marketplace/wire.ts';
import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import type { SwitchChanges } from '../../simulators/marketplace/switches.ts';
import { interfaceDocument } from '../../simulators/marketplace/wire/interface-document.ts';
import { sellerOf } from '../simulators/support/seller.ts';
import { present } from '../support/clock.ts';

/** A seller with a running auction, and one that was sold. */
async function setUp(t: ExecutionContext, switches: SwitchChanges = {}) {
  const world = await sellerOf(t, { switches });
  const { admin, live, end } = world;
  const { token } = (await admin('POST', '/users', { userId: '77' })).json<{ token: string }>();
  await live();
  const sold = await live();
  await admin('POST', `/listings/${sold.itemId}/bids`, { amount: 500 });
  await end(sold.itemId);
  const settings: ProbeSettings = {
    access: { url: world.simulator.url, ...defaultApplication },
    seller: { userId: '77', token },
    wire: usualWireSettings,
    fallbackCategoryId: 536,
    requestTimeoutMs: 60_000,
    withDraft: true,
    now: present(),
  };
  const calls = async () => (await admin('GET', '/calls')).json<{ calls: { path: string }[] }>().calls;
  return { world, settings, calls };
}

const differing = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict === 'differs').map(({ assumption, seen }) => `${assumption}: ${seen}`);

test('at a marketplace as assumed nothing differs, and hardly anything is unseen', async (t) => {
  const { settings, calls, world } = await setUp(t);
  const before = (await calls()).length;
  const probe = probeMarketplace(settings);
  const findings = await probe.run();
  t.deepEqual(differing(findings), []);
  const unseen = findings.filter(({ verdict }) => verdict === 'could not see').map(({ assumption }) => assumption);
  t.deepEqual(unseen, [
    'answers say how many calls are left, or when to come again',
    'the configured provider for an own price can be booked',
  ]);
  t.is(probe.calls, 25);
  t.is((await calls()).length - before, probe.calls + 2, 'document and wrong key are not the application’s calls');
  const drafts = (await world.admin('GET', '/listings')).json<{ listings: { state: string }[] }>().listings;
  t.is(drafts.filter(({ state }) => state === 'uncommitted').length, 1);
});

test('what is said names no person and no text of an answer', async (t) => {
  const { settings } = await setUp(t);
  const said = JSON.stringify(await probeMarketplace(settings).run());
  for (const secret of ['@', 'gatan', 'Strålkastare', settings.seller?.token ?? '', settings.access.appKey])
    t.false(said.includes(secret), secret);
});

for (const [name, position, assumption] of [
  ['timeZone', 'none', /^times have a zone: none$/],
  ['itemStatus', 'absent', /^an auction has status.ended and status.gotWinner: 0 of 1$/],
  ['missingToDate', 'empty', /^orders without toDate are the same .*: 0 of 1$/],
  ['reservedItem', 'readable', /^its item can’t be read before the commit \(404\): 200$/],
] as const)
  test(`the other position of ${name} is seen, and nothing else`, async (t) => {
    const { settings } = await setUp(t, { [name]: position });
    const [found = '', ...others] = differing(await probeMarketplace(settings).run());
    t.regex(found, assumption);
    t.deepEqual(others, []);
  });

test('categories that the marketplace does not know are named, after the setting that maps them', async (t) => {
  const { settings } = await setUp(t);
  const categories = new Map([
    [516, 999_999],
    [520, 10],
  ]);
  const probe = probeMarketplace({ ...settings, wire: { ...usualWireSettings, categories }, withDraft: false });
  t.deepEqual(differing(await probe.run()), [
    'every category in which the service publishes is known there: unknown there: 999999',
    'and has no categories below it: with categories below: 10',
  ]);
});

test('without a user only what belongs to nobody is asked', async (t) => {
  const { settings } = await setUp(t);
  const probe = probeMarketplace({ ...settings, seller: null });
  const findings = await probe.run();
  t.is(probe.calls, 8);
  t.deepEqual(differing(findings), []);
  t.true(
    findings.some(({ assumption, verdict }) => /token is accepted/.test(assumption) && verdict === 'could not see'),
  );
});

test('an interface document that has become another is said, operation by operation and field by field', (t) => {
  const { paths, components } = interfaceDocument;
  const { ItemRequest, ...schemas } = components.schemas;
  const { '/v4/orders': _gone, ...others } = paths;
  const changed = {
    paths: { ...others, '/v4/listings/updated-seller-items': { get: { responses: {} } } },
    components: {
      schemas: {
        ...schemas,
        ItemRequest: withFields(ItemRequest, { title: { type: 'integer' }, pickupPoint: { type: 'string' } }),
        Transaction: { type: 'object' },
      },
    },
  };
  t.deepEqual(compareDocument(interfaceDocument), {
    operations: [],
    requests: [],
    answers: [],
    notShown: [],
    news: [],
  });
  t.deepEqual(compareDocument(changed), {
    operations: ['GET /v4/listings/updated-seller-items has no parameter rowVersion', 'GET /v4/orders'],
    requests: ['ItemRequest.title is integer, not text'],
    answers: ['GET /v4/listings/updated-seller-items is without a schema'],
    notShown: ['Transaction'],
    news: ['pickupPoint'],
  });
  t.is(compareDocument('no document').operations.length > 20, true);
});

const withFields = (schema: unknown, fields: object): object => {
  const { properties } = schema as { properties: object };
  return { type: 'object', properties: { ...properties, ...fields } };
};
