import test from 'ava';
import { startApiWorld, type ApiWorld, type CallOptions } from '../../test/support/api-world.ts';
import { failImages } from '../../test/support/failing-items.ts';
import { operations } from './support/operations.ts';
import { onlyForTestKeys } from './support/owner.ts';
import { aPerson, aReseller, join, must } from './support/people.ts';
import { canary } from './support/traces.ts';
import { watchWrites, type WriteWatch } from './support/write-watch.ts';

// External ids belong to their account: two strangers, and two members of one reseller, have items with the same ones.

interface Writer {
  readonly name: string;
  readonly id: string;
  /** For item paths, and for paths that take a session. */
  readonly byKey: CallOptions;
  readonly bySession: CallOptions;
}

let world: ApiWorld;
let watch: WriteWatch;
let writers: readonly Writer[];

test.before('four accounts', async () => {
  world = await startApiWorld({ sendsMail: true });
  const reseller = await aReseller(world);
  const [one, other, first, second] = [
    await aPerson(world),
    await aPerson(world),
    await aPerson(world),
    await aPerson(world),
  ];
  const own = ({ id, apiKey, token }: typeof one, name: string): Writer => {
    return { name, id, byKey: { apiKey }, bySession: { token } };
  };
  const member = async (account: typeof one, name: string): Promise<Writer> => {
    const reference = await join(world, reseller, account);
    const byKey = { apiKey: reseller.apiKey, headers: { 'x-partner-account': reference } };
    return { ...own(account, name), byKey };
  };
  writers = [
    own(one, 'stranger'),
    own(other, 'other stranger'),
    await member(first, 'member'),
    await member(second, 'other member'),
  ];
  watch = await watchWrites(world.store);
});
test.after.always(async () => {
  try {
    await watch.close();
  } finally {
    await world.close();
  }
});

const anItem = () => ({ title: `Bromsskiva ${canary()}`, price: 150, imageUrls: ['https://images.example/1.jpg'] });
const itemAt = (externalId: string, rest = ''): string => `/integration/v1/items/${externalId}${rest}`;
const partnerItemAt = (externalId: string, rest = ''): string => `/partner/items/${externalId}${rest}`;

/** Of earlier calls: the log of calls is written once a second, changes as soon as they are free. */
const writtenLate: ReadonlySet<string> = new Set(['request_log', 'rate_buckets']);

interface Writing {
  readonly operation: string;
  readonly asks: 'byKey' | 'bySession';
  readonly headers?: Readonly<Record<string, string>>;
  /** What has happened to the writer's item before. */
  readonly prepare?: (externalId: string, account: string) => Promise<unknown>;
  readonly call: (externalId: string) => readonly [request: string, body?: unknown];
}

const writings: readonly Writing[] = [
  { operation: 'upsertItem', asks: 'byKey', call: (id) => [`PUT ${itemAt(id)}`, anItem()] },
  {
    operation: 'updateItemPrice',
    asks: 'byKey',
    call: (id) => [`PATCH ${itemAt(id, '/price')}`, { price: 9 }],
  },
  {
    operation: 'updateItemStatus',
    asks: 'byKey',
    call: (id) => [`PATCH ${itemAt(id, '/status')}`, { status: 'not_listed' }],
  },
  {
    operation: 'updateItemQuantity',
    asks: 'byKey',
    headers: { 'if-match': '*' },
    call: (id) => [`PATCH ${itemAt(id, '/quantity')}`, { quantity: 3 }],
  },
  { operation: 'publishItem', asks: 'byKey', call: (id) => [`POST ${itemAt(id, '/publish')}`] },
  { operation: 'deleteItem', asks: 'byKey', call: (id) => [`DELETE ${itemAt(id)}`] },
  {
    operation: 'updatePartnerItemStatus',
    asks: 'bySession',
    call: (id) => [`PATCH ${partnerItemAt(id, '/status')}`, { status: 'not_listed' }],
  },
  {
    operation: 'updatePartnerItemQuantity',
    asks: 'bySession',
    headers: { 'if-match': '*' },
    call: (id) => [`PATCH ${partnerItemAt(id, '/quantity')}`, { quantity: 3 }],
  },
  { operation: 'publishPartnerItem', asks: 'bySession', call: (id) => [`POST ${partnerItemAt(id, '/publish')}`] },
  { operation: 'deletePartnerItem', asks: 'bySession', call: (id) => [`DELETE ${partnerItemAt(id)}`] },
  {
    operation: 'retryPartnerItem',
    asks: 'bySession',
    prepare: (externalId, id) => failImages(world, { id, externalId }),
    call: (id) => [`POST ${partnerItemAt(id, '/retry')}`],
  },
  {
    operation: 'createOrder',
    asks: 'bySession',
    call: (externalId) => ['POST /partner/orders', { externalId, platform: 'service', amount: 99 }],
  },
];

// specification: an-external-id-is
test('every operation that writes by an external id is tried', (t) => {
  const named = operations.filter(({ path, method }) => path.includes('{external_id}') && method !== 'GET');
  t.deepEqual(
    named
      .map(({ id }) => id)
      .filter((id) => !onlyForTestKeys.has(id) && !writings.some(({ operation }) => operation === id)),
    [],
    'add a line to `writings`',
  );
});

for (const { operation, asks, headers, prepare, call } of writings) {
  // specification: an-external-id-is
  test.serial(
    `${operation} under an external id that four accounts have writes only in rows of the one that is meant`,
    async (t) => {
      const externalId = canary();
      for (const { byKey } of writers) await must(world, `PUT ${itemAt(externalId)}`, { ...byKey, body: anItem() });
      for (const writer of writers) {
        await prepare?.(externalId, writer.id);
        await watch.catchUp();
        const mark = await watch.mark();
        const [request, body] = call(externalId);
        const options = { ...writer[asks], headers: { ...writer[asks].headers, ...headers } };
        await must(world, request, { ...options, ...(body !== undefined && { body }) });
        await watch.catchUp();
        const rows = watch.writesAfter(mark).filter(({ collection }) => !writtenLate.has(collection));
        const texts = rows.map(({ before, after }) => `${before ?? ''} ${after ?? ''}`);
        const others = writers.filter((other) => other !== writer);
        t.true(
          texts.some((text) => text.includes(writer.id)),
          `${writer.name} has changed nothing`,
        );
        for (const other of others)
          t.deepEqual(
            texts.filter((text) => text.includes(other.id)),
            [],
            `${writer.name} has changed what is ${other.name}'s`,
          );
      }
    },
  );
}
