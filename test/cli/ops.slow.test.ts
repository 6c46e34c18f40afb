import { randomUUID } from 'node:crypto';
import test from 'ava';
import { itemId } from '../../features/rules/ids.ts';
import { insertAccount } from '../../features/accounts/store/accounts.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { anItem, noon } from '../support/an-item.ts';
import { withWorld, type World } from '../support/world.ts';
import { runItembridge, type ToolOutcome } from './support/run-itembridge.ts';
import { present } from '../support/clock.ts';

// The commands as processes of their own, on a system without workers: what stands still stays so.

let world: World;
let env: Record<string, string>;
const stuckIds: string[] = [];
const [account, reason] = [anItem().accountId, 'marketplace' as const];

withWorld(
  test,
  async (started) => {
    world = started;
    const { mongo, temporal } = world.foundation.config;
    env = {
      MONGODB_URI: mongo.uri,
      MONGODB_DATABASE: mongo.database,
      TEMPORAL_ADDRESS: temporal.connection.address,
      TEMPORAL_TASK_QUEUE: temporal.taskQueue,
    };
    const { store } = world.foundation;
    const person = { email: 'ops@example.com', name: 'Testbolaget AB', passwordHash: 'x', createdAt: noon };
    await inTransaction(store, (session) => insertAccount(store, { _id: account, ...person }, session));
    const items = createItemStore(store);
    for (let n = 0; n < 5; n += 1) {
      const item = anItem({ id: itemId(randomUUID()), externalId: `A${n}` });
      const waiting = { waitingFor: reason, since: noon, notBefore: present(3_600_000), attempts: 3 };
      const lastError = 'MARKETPLACE_TIMEOUT: no answer';
      await items.insert({ ...item, processing: { ...item.processing, ...waiting, lastError } });
      stuckIds.push(item.id);
    }
  },
  { workers: false },
);

const ops = (...args: string[]): Promise<ToolOutcome> => runItembridge(['ops', ...args], { env });

// specification: ops-stuck-and-that
test.serial(
  'stuck: people read a table, and that no worker is there; a script gets the same as JSON and an exit code',
  async (t) => {
    const { code, stdout, stderr } = await ops('stuck');
    t.is(code, 1, stderr);
    t.regex(stdout, /REASON +ITEMS +OLDEST +WAITING FOR\n +marketplace +5 +/);
    t.true(stdout.includes(stuckIds[0] ?? ''), stdout);
    t.regex(stdout, /no worker asks for/);
    t.regex(stdout, /items +no worker/);
    const told = JSON.parse((await ops('stuck', '--json', '--reason', reason)).stdout) as Record<string, unknown[]>;
    t.is(told['items']?.length, 5);
  },
);

// specification: ops-explain-item
test.serial('explain: an item by its id or by account and external id; an unknown one is said to be so', async (t) => {
  for (const args of [[stuckIds[0] ?? ''], ['A0', '--account', account]]) {
    const { code, stdout, stderr } = await ops('explain', ...args);
    t.is(code, 0, stderr);
    t.regex(stdout, /Waiting for the marketplace to respond/);
    t.regex(stdout, /What to do: /);
  }
  const unknown = await ops('explain', 'nobody', '--account', account);
  t.is(unknown.code, 1);
  t.regex(unknown.stderr, /no item "nobody"/);
});

// specification: ops-retry-many-at
test.serial(
  'retry by reason: shows the number, wants a yes, then counts exactly; a second time nothing is tried twice',
  async (t) => {
    t.is((await ops('retry', '--reason', reason, '--dry-run')).stdout, '5 items.\n');
    const unasked = await ops('retry', '--reason', reason);
    t.is(unasked.code, 2);
    t.regex(unasked.stderr, /5 items wait for marketplace.*--yes/);
    const { code, stdout, stderr } = await ops('retry', '--reason', reason, '--account', account, '--yes', '--json');
    t.is(code, 0, stderr);
    t.deepEqual(JSON.parse(stdout), { count: 5, retried: 5, nothingToRetry: 0, gone: 0, failed: 0 });
    const told = JSON.parse((await ops('explain', stuckIds[0] ?? '', '--json')).stdout) as { timeline: object[] };
    t.true(told.timeline.some((entry) => 'actor' in entry && entry.actor === 'operator'));
  },
);

// specification: ops-retry-many-at
test.serial('retry: what can’t be done as it was given is exit code 2', async (t) => {
  for (const args of [[], ['A0', '--reason', reason], ['--reason', 'bad-mood']])
    t.is((await ops('retry', ...args)).code, 2, args.join(' '));
});
