import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { Died } from '../support/dying-store.ts';
import { aLine, bulkPath, leftBehind, upload } from './support/bulk-calls.ts';
import { routesWith } from '../support/around-calls.ts';

/** Accounts whose next upload dies right after it was accepted, or right before. */
const dies = new Map<string, 'before' | 'after'>();

const world = withApiWorld(test, {
  routes: routesWith(async (route, call, handle) => {
    const death = dies.get(call.scope.actingAccountId);
    if (death === undefined || route !== 'post /integration/v1/bulk-syncs') return handle(call);
    dies.delete(call.scope.actingAccountId);
    const confirmCredential = () => (death === 'before' ? Promise.reject(new Died()) : Promise.resolve());
    await handle({ ...call, context: { ...call.context, confirmCredential } });
    throw new Died();
  }),
});

type Sending = [account: TestAccount, key: string, lines: readonly unknown[], query?: string];
const send = (...[account, key, lines, query = '']: Sending) =>
  upload(world(), account, lines, { query, headers: { 'idempotency-key': key } });
const countOf = async ({ token }: TestAccount): Promise<number> =>
  (await world().call('GET', '/partner/bulk-syncs', { token })).body.bulkSyncs.length;

// specification: idempotency-key-on-a
test.serial(
  'the same key with the same body is answered with the first 202 and makes no second bulk sync',
  async (t) => {
    const account = await world().account();
    const lines = [aLine('A'), aLine('B')];
    const first = await send(account, 'k', lines);
    t.is(first.status, 202);
    const rows = await leftBehind(world());
    const again = await send(account, 'k', lines);
    t.is(again.status, 202);
    t.is(again.body.id, first.body.id);
    t.is(again.headers.get('location'), `${bulkPath}/${first.body.id}`);
    t.is(again.headers.get('idempotency-replayed'), 'true');
    t.is(await countOf(account), 1);
    t.is(await leftBehind(world()), rows);
  },
);

// specification: idempotency-key-on-a
test.serial('the same key with another body or query is 422 and has no effect', async (t) => {
  const account = await world().account();
  await send(account, 'k', [aLine('A')]);
  isError(t, await send(account, 'k', [aLine('B')]), { status: 422, code: 'VALIDATION_FAILED' });
  isError(t, await send(account, 'k', [aLine('A')], '?mode=snapshot'), { status: 422, code: 'VALIDATION_FAILED' });
  t.is(await countOf(account), 1);
});

test.serial('a refused upload frees its key', async (t) => {
  const account = await world().account();
  isError(t, await send(account, 'k', ['']), { status: 400, code: 'BAD_REQUEST' });
  t.is((await send(account, 'k', [aLine('A')])).status, 202);
});

// specification: idempotency-key-on-a
test.serial(
  'a call that died after its upload was accepted is completed by the next one with the same bulk sync',
  async (t) => {
    const account = await world().account();
    dies.set(account.id, 'after');
    t.is((await send(account, 'k', [aLine('A')])).status, 500);
    t.is(await countOf(account), 1);
    const rows = await leftBehind(world());
    isError(t, await send(account, 'k', [aLine('B')]), { status: 422, code: 'VALIDATION_FAILED' });
    isError(t, await send(account, 'k', [aLine('A')], '?confirm=true'), { status: 422, code: 'VALIDATION_FAILED' });
    isError(t, await send(account, 'k', [aLine('A')], '?mode=snapshot'), { status: 422, code: 'VALIDATION_FAILED' });
    const again = await send(account, 'k', [aLine('A')]);
    t.is(again.status, 202, again.text);
    const { bulkSyncs } = (await world().call('GET', '/partner/bulk-syncs', { token: account.token })).body;
    t.deepEqual(
      bulkSyncs.map(({ id }: { id: string }) => id),
      [again.body.id],
    );
    t.is(await leftBehind(world()), rows);
  },
);

test.serial(
  'a call that died before its upload was accepted had no effect; the next one may send any body',
  async (t) => {
    const account = await world().account();
    dies.set(account.id, 'before');
    t.is((await send(account, 'k', [aLine('A')])).status, 500);
    t.is(await countOf(account), 0);
    const again = await send(account, 'k', [aLine('B'), aLine('C')]);
    t.is(again.status, 202, again.text);
    t.like((await world().call('GET', `${bulkPath}/${again.body.id}`, { apiKey: account.apiKey })).body, { total: 2 });
  },
);

test.serial('the same key in two uploads at once: one is accepted, the other waits', async (t) => {
  const account = await world().account();
  const replies = await Promise.all([1, 2].map(() => send(account, 'k', [aLine('A')])));
  const [accepted, other] = replies.toSorted((one, two) => one.status - two.status);
  t.is(accepted?.status, 202);
  if (other?.status === 202) t.is(other.body.id, accepted?.body.id);
  else t.is(other?.body.code, 'REQUEST_IN_PROGRESS');
  t.is(await countOf(account), 1);
});
