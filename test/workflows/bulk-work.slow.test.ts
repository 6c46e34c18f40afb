import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { createTemporalOrchestrator } from '../../gateways/orchestrator/temporal-orchestrator.ts';
import { applyBatch } from '../../features/items/apply-batch.ts';
import { itemWorkflowId } from '../../workflows/contracts/workflows.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { until } from '../support/until.ts';
import { untilSettled } from '../support/until-settled.ts';
import { withWorld, type World } from '../support/world.ts';

let world: World;
withWorld(test, (started) => (world = started));

/** Items to be published need a workflow; the others are at rest at once. */
const batch = (scope: Scope, count: number, autoPublish = false) =>
  applyBatch(world.context, scope, {
    rows: Array.from({ length: count }, (_of, index) => ({
      account: undefined,
      externalId: `b${index}`,
      request: anItemRequest({}, { autoPublish }),
    })),
  });

test('the work of a batch is done by itself', async (t) => {
  const account = await world.account({ connected: false });
  await batch(account.scope, 30);
  await until('all events are told', async () => (await account.received('item.created')).length === 30);
  t.is((await account.status('b29')).status.serviceStatus, 'active');
});

test('an item of bulk work runs at the low priority of the engine, all else at the usual one', async (t) => {
  // A queue that nobody works on: the runs stay as they were started.
  const orchestrator = createTemporalOrchestrator(world.foundation.client, `idle-${randomUUID()}`);
  const priorityOf = async (isBacklog: boolean) => {
    const item = { itemId: itemId(randomUUID()), accountId: accountId(randomUUID()), externalId: 'a' };
    await orchestrator.signalItem({ ...item, ...(isBacklog && { isBacklog }) });
    const handle = world.foundation.client.workflow.getHandle(itemWorkflowId(item.itemId));
    const { raw } = await handle.describe();
    await handle.terminate();
    return raw.workflowExecutionInfo?.priority?.priorityKey ?? 0;
  };
  t.is(await priorityOf(true), 4);
  t.is(await priorityOf(false), 0);
});

test('an external id is no Markdown in the summary that operators see', async (t) => {
  const orchestrator = createTemporalOrchestrator(world.foundation.client, `idle-${randomUUID()}`);
  const item = { itemId: itemId(randomUUID()), accountId: accountId(randomUUID()) };
  await orchestrator.signalItem({ ...item, externalId: '[log in](https://attacker.example)` <b>' });
  const handle = world.foundation.client.workflow.getHandle(itemWorkflowId(item.itemId));
  t.is(await (await handle.describe()).staticSummary(), '`log in (https://attacker.example) b`');
  await handle.terminate();
});

test('a single push is processed while hundreds of items of another account wait in the backlog', async (t) => {
  const id = accountId(randomUUID());
  await batch({ accountId: id, actingAccountId: id, credential: { kind: 'system' } }, 400, true);
  const account = await world.account({ connected: false });
  await account.push('single');
  await untilSettled(world, account, 'single');
  const waiting = { accountId: id, bulk: 'waits' };
  t.true((await world.foundation.store.connection.collection('items').countDocuments(waiting)) > 0);
});
