import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Scope } from '../../features/rules/scope.ts';
import { hintsOfCommand } from '../../compose/starts.ts';
import { acceptBulkSync } from '../../features/bulk-syncs/accept-bulk-sync.ts';
import { callApi } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { startServedWorld, type ServedWorld } from '../support/served-world.ts';
import type { TestAccount } from '../support/world.ts';
import { aLine, bulkPath, linesOf, ndjson } from './support/bulk-calls.ts';
import { cancelBulkSync, readBulkSync } from '../../features/bulk-syncs/manage-bulk-syncs.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';
import { revokeApiKey } from '../../features/accounts/revoke-api-key.ts';
import { listApiKeys } from '../../features/accounts/list-api-keys.ts';
import { present } from '../support/clock.ts';

let world: ServedWorld;
test.before(async () => {
  world = await startServedWorld();
});
test.after.always(async () => {
  await world.stop();
});

const bodyOf = (lines: readonly unknown[]) => {
  const bytes = Buffer.from(linesOf(lines));
  return {
    bytes: async function* () {
      yield bytes;
    },
    digest: () => 'digest',
    drain: () => Promise.resolve(),
  };
};

const viewOf = (account: TestAccount, id: string) => readBulkSync(world.context, account.scope, id as never);

const untilEnded = (account: TestAccount, id: string) =>
  until('the bulk sync has ended', async () => {
    const view = await viewOf(account, id);
    return view.completedAt !== null && view;
  });

async function apiKeyOf(account: TestAccount): Promise<string> {
  const scope: Scope = account.scope;
  return (await generateApiKey(world.context, scope, { name: 'test' })).apiKey;
}

test('a key that is revoked while the workers apply its lines: at most the chunk under way is written, the rest fails', async (t) => {
  const account = await world.account();
  const { scope } = account;
  const apiKey = await apiKeyOf(account);
  const [key] = await listApiKeys(world.context, scope);
  const reply = await callApi(world.api.url, {
    method: 'POST',
    path: bulkPath,
    apiKey,
    headers: { 'content-type': ndjson },
    raw: linesOf(Array.from({ length: 2_000 }, (_, n) => aLine(`A${n}`))),
  });
  t.is(reply.status, 202, reply.text);
  await revokeApiKey(world.context, scope, key?.id ?? '');
  const items = world.foundation.store.connection.collection('items');
  const before = await items.countDocuments({ accountId: account.id });
  const view = await untilEnded(account, reply.body.id);
  t.like(view, { state: 'cancelled', stoppedBy: 'UNAUTHORIZED', created: view.created, failed: 2_000 - view.created });
  t.true(view.created <= before + 200, `${view.created} of 2,000 were created, ${before} when the key was revoked`);
  t.is(await items.countDocuments({ accountId: account.id }), view.created);
});

// specification: a-durable-workflow-works
test('a start that was lost is made good by a relay', async (t) => {
  const account = await world.account();
  const { store } = world.foundation;
  const bulk = await acceptBulkSync(
    {
      store,
      logger: world.foundation.logger,
      hints: hintsOfCommand,
      confirmCredential: () => Promise.resolve(),
      now: present,
      newId: randomUUID,
    },
    account.scope,
    { mode: 'merge', leftOut: 'empty', isConfirmed: false, body: bodyOf([aLine('A'), aLine('B')]) },
  );
  t.like(await untilEnded(account, bulk.id), { state: 'completed', created: 2 });
});

// specification: delete-cancels
test('a cancelled bulk sync ends as cancelled, and its items stay as they are then', async (t) => {
  const account = await world.account();
  const lines = Array.from({ length: 800 }, (_, n) => aLine(`A${n}`));
  const bulk = await acceptBulkSync(world.context, account.scope, {
    mode: 'merge',
    leftOut: 'empty',
    isConfirmed: false,
    body: bodyOf(lines),
  });
  await cancelBulkSync(world.context, account.scope, bulk.id);
  const view = await untilEnded(account, bulk.id);
  t.is(view.state, 'cancelled');
  t.true(view.created < 800);
  t.is(
    await world.foundation.store.connection.collection('items').countDocuments({ accountId: account.id }),
    view.created,
  );
  t.is((await cancelBulkSync(world.context, account.scope, bulk.id)).state, 'cancelled');
});
