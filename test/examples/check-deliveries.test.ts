import { createHmac } from 'node:crypto';
import test from 'ava';
import { checkDeliveries, missingDeliveries } from '../../examples/demo/check-deliveries.ts';
import type { Received } from '../../examples/demo/observed-system.ts';
import type { ExpectedDelivery } from '../../examples/expected-outcome.ts';

const key = Buffer.alloc(32, 3);
const secret = `whsec_${key.toString('base64')}`;
const endpoints = [
  { path: '/members', scope: 'members', secret },
  { path: '/butik', scope: 'self', secret },
] as const;
const common = { eventType: 'item.created', externalId: 'A1', account: 'butik' } as const;
const expected: ExpectedDelivery[] = [
  { path: '/members', scope: 'members', ...common },
  { path: '/butik', scope: 'self', ...common },
];

interface Change {
  readonly path?: string;
  readonly eventId?: string;
  readonly member?: string | undefined;
  readonly externalId?: string;
}
function aDelivery({
  path = '/members',
  eventId = 'evt_1',
  externalId = 'A1',
  member = path === '/members' ? 'butik' : undefined,
}: Change = {}): Received {
  const body = Buffer.from(
    JSON.stringify({
      eventId,
      eventType: 'item.created',
      timestamp: '2026-03-14T09:41:00Z',
      data: { externalId, account: { serviceUserId: 'u1', memberExternalId: member } },
    }),
  );
  const at = '2026-03-14T09:41:01.000Z';
  const timestamp = String(Math.floor(Date.parse(at) / 1000));
  const standard = createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body).digest('base64');
  const headers = {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
  return { at, path, headers, rawBase64: body.toString('base64') };
}
const both = [aDelivery(), aDelivery({ path: '/butik' })];

test('everything expected once, signed and named right, has no problem; a repeat is allowed and counted', (t) => {
  t.deepEqual(checkDeliveries([...both, aDelivery()], expected, endpoints), {
    problems: [],
    counts: { 'members item.created': 1, 'self item.created': 1 },
    verified: 3,
    repeats: 1,
  });
});

test('what has not come is named', (t) => {
  t.deepEqual(missingDeliveries([aDelivery()], expected), ['/butik item.created A1']);
  t.regex(checkDeliveries([aDelivery()], expected, endpoints).problems.join(), /did not come: \/butik item.created A1/);
});

test('what nobody expected is named', (t) => {
  t.regex(
    checkDeliveries([...both, aDelivery({ externalId: 'B2', eventId: 'evt_2' })], expected, endpoints).problems.join(),
    /should not: \/members item.created B2/,
  );
});

test("a delivery signed with another endpoint's secret, or to no endpoint, is a problem", (t) => {
  const foreign = endpoints.map((endpoint) => ({ ...endpoint, secret: 'whsec_b3RoZXI=' }));
  t.is(
    checkDeliveries(both, expected, foreign).problems.filter((problem) => problem.includes("can't be trusted")).length,
    2,
  );
  t.regex(
    checkDeliveries([...both, aDelivery({ path: '/nobody' })], expected, endpoints).problems.join(),
    /nobody registered/,
  );
});

test('the same occurrence under two event ids, and two occurrences under one, are problems', (t) => {
  t.regex(
    checkDeliveries([...both, aDelivery({ eventId: 'evt_9' })], expected, endpoints).problems.join(),
    /several event ids/,
  );
  t.regex(
    checkDeliveries([...both, aDelivery({ externalId: 'B2' })], expected, endpoints).problems.join(),
    /stands for several events/,
  );
});

test('memberExternalId missing for the reseller, or told to the member, is a problem', (t) => {
  const told = aDelivery({ path: '/butik', member: 'butik' });
  const silent = aDelivery({ member: '' });
  t.regex(checkDeliveries([aDelivery(), told], expected, endpoints).problems.join(), /memberExternalId is wrong on 1/);
  t.regex(
    checkDeliveries([silent, aDelivery({ path: '/butik' })], expected, endpoints).problems.join(),
    /memberExternalId is wrong on 1/,
  );
});
