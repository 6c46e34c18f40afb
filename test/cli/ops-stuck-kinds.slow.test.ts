import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { describeExplanation } from '../../cli/ops/explain.ts';
import { describeReport } from '../../cli/ops/stuck.ts';
import { accountId, itemId } from '../../features/rules/ids.ts';
import { textOfReason } from '../../features/operations/rules/reasons.ts';
import { insertAccount } from '../../features/accounts/store/accounts.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { explainItem, type ItemExplanation } from '../../features/operations/explain-item.ts';
import { findStuck, type StuckReport } from '../../features/operations/find-stuck.ts';
import type { OperationsContext } from '../../features/operations/find-account.ts';
import { retryDelivery, retryItems, retryStuck } from '../../features/operations/retry-stuck.ts';
import { until } from '../support/until.ts';
import { startEnrichingWorld, type EnrichingWorld } from '../support/enriching-world.ts';
import { callAdmin, untilMarketplaceStatus, type TestAccount } from '../support/world.ts';
import { receiverWorkflowId } from '../../workflows/contracts/workflows.ts';
import { currentDetails, operationsOf, queriesOf, untilListed } from './support/ops-world.ts';
import { listWebhooks } from '../../features/webhooks/manage-webhooks.ts';
import { readAuditLog } from '../../features/accounts/read-audit-log.ts';
import { present } from '../support/clock.ts';

// Each kind of stuck item of docs/operations.md is made with the simulators: the list of its runbook finds just it, the words are
// right, and the step of the runbook ends it.

let world: EnrichingWorld;
let operations: OperationsContext;

test.before(async () => {
  world = await startEnrichingWorld();
  operations = operationsOf(world);
});
test.after.always(async () => {
  await world.stop();
});

const admin = (path: string, body: object = {}): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
const noFaults = (adminUrl: string): Promise<unknown> => callAdmin(`${adminUrl}/faults`, 'DELETE');
const picture = readdirSync('examples/catalogue/images')[0] ?? '';

const reportOf = (account: TestAccount): Promise<StuckReport> =>
  findStuck(operations, { account: account.id, sinceMs: 0, limit: 20 });
const explain = (account: TestAccount, name = 'A1'): Promise<ItemExplanation> =>
  explainItem(operations, name, { account: account.id });

/** As whoever runs the service may name it. */
async function newAccount(): Promise<TestAccount> {
  const { store } = world.foundation;
  const account = await world.account();
  const person = {
    email: `${account.id}@example.com`,
    name: 'Testbolaget AB',
    passwordHash: 'x',
    createdAt: present(),
  };
  await inTransaction(store, (session) => insertAccount(store, { _id: account.id, ...person }, session));
  return account;
}

/** An account with a healthy item, published and settled, beside which the stuck one is to be found. */
async function withHealthyItem(): Promise<TestAccount> {
  const account = await newAccount();
  await account.push('healthy', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'healthy', 'active');
  await untilRest(account, 'healthy');
  return account;
}

const untilRest = (account: TestAccount, name: string): Promise<ItemExplanation> =>
  until(`${name} is at rest`, async () => {
    const explained = await explain(account, name);
    return explained.isAtRest && explained.workflow?.status !== 'RUNNING' && explained;
  });

const untilReason = (account: TestAccount, reason: string): Promise<ItemExplanation> =>
  until(reason, async () => {
    const explained = await explain(account);
    return explained.blocked?.reason === reason && explained;
  });

/** The list finds just the item; details, `ops stuck` and `ops explain` say why and what to do. */
async function isFoundAndExplained(
  t: ExecutionContext,
  account: TestAccount,
  { reason, error }: { reason: string; error: RegExp },
): Promise<string> {
  const { itemId: id } = await untilReason(account, reason);
  const workflowId = `item:${id}`;
  const { runbook, what, whatToDo } = textOfReason(reason);
  const [query = ''] = queriesOf(runbook);
  await untilListed(world, { query, account }, [workflowId]);
  const details = await until('details', async () => {
    const text = await currentDetails(world, workflowId);
    return text.includes(`(\`${reason}\`)`) && text;
  });
  t.true(details.includes(what), details);
  t.true(details.includes(whatToDo), details);
  t.regex(details, error);
  const stuck = describeReport(await reportOf(account));
  t.true(stuck.includes(id), stuck);
  t.true(stuck.includes(what), stuck);
  t.false(stuck.includes('healthy'), stuck);
  const explained = describeExplanation(await explain(account));
  t.true(explained.includes(what), explained);
  t.regex(explained, error);
  t.true(explained.includes(`docs/operations.md#${runbook}`), explained);
  return id;
}

async function isNotStuck(t: ExecutionContext, account: TestAccount): Promise<void> {
  await until('nothing is stuck', async () => (await reportOf(account)).counts.length === 0);
  await until('nothing holds it up', async () => (await explain(account)).blocked === null);
  t.deepEqual((await reportOf(account)).items, []);
}

// specification: token-expired-found-read
test.serial('an expired token is found by its list, said in words, and ended by a reconnection alone', async (t) => {
  const account = await withHealthyItem();
  await admin(`/users/${account.id}/expire-token`);
  await account.push('A1', {}, { autoPublish: true });
  await isFoundAndExplained(t, account, { reason: 'marketplace_reconnection', error: /MARKETPLACE_TOKEN_EXPIRED/ });
  await account.connect();
  await untilMarketplaceStatus(account, 'A1', 'active');
  await isNotStuck(t, account);
  const [query = ''] = queriesOf('marketplace-token-expired-or-never-connected');
  await untilListed(world, { query, account }, []);
});

// specification: marketplace-down
test.serial(
  'a marketplace that is down is found, and ops retry has the item tried at once when it is back',
  async (t) => {
    const account = await withHealthyItem();
    await admin('/faults', { mode: 'status', status: 503 });
    await account.push('A1', {}, { autoPublish: true });
    await isFoundAndExplained(t, account, { reason: 'marketplace', error: /MARKETPLACE_TIMEOUT/ });
    await noFaults(world.marketplace.adminUrl);
    const wish = { reason: 'marketplace', account: account.id };
    t.is((await retryStuck(operations, wish)).retried, 1);
    await untilMarketplaceStatus(account, 'A1', 'active');
    await isNotStuck(t, account);
    t.is((await account.listings('A1')).length, 1);
    t.true((await explain(account)).timeline.some(({ actor }) => actor === 'operator'));
  },
);

// specification: call-budget-exhausted
test.serial('an exhausted call budget is found, and a retry after it was raised ends it', async (t) => {
  const account = await withHealthyItem();
  await admin('/budget', { callsPerDay: 0 });
  await account.push('A1', {}, { autoPublish: true });
  const id = await isFoundAndExplained(t, account, {
    ...{ reason: 'marketplace_budget', error: /MARKETPLACE_BUDGET_EXHAUSTED/ },
  });
  await admin('/budget', { callsPerDay: null });
  t.is((await retryItems(operations, [{ accountId: accountId(account.id), id: itemId(id) }])).retried, 1);
  await untilMarketplaceStatus(account, 'A1', 'active');
  await isNotStuck(t, account);
});

// specification: images-broken
test.serial(
  'broken images are found although the workflow has ended, each with its reason, and a retry downloads them again',
  async (t) => {
    const account = await withHealthyItem();
    const imagesDown = { path: `/${picture}$`, mode: 'status', status: 404 };
    await callAdmin(`${world.images.adminUrl}/faults`, 'POST', imagesDown);
    await account.push('A1', { imageUrls: [`${world.images.url}/${picture}?token=geheim`] }, { autoPublish: true });
    const id = await isFoundAndExplained(t, account, { reason: 'images', error: /IMAGES_FAILED/ });
    const { failedImages } = await explain(account);
    t.is(failedImages.length, 1);
    t.true(failedImages[0]?.url.endsWith(picture), 'without what may be secret in the address');
    await noFaults(world.images.adminUrl);
    t.is((await retryItems(operations, [{ accountId: accountId(account.id), id: itemId(id) }])).retried, 1);
    await untilMarketplaceStatus(account, 'A1', 'active');
    await isNotStuck(t, account);
  },
);

// specification: bids-block-a-price
test.serial('a price that bids block is found, and the end of the auction ends it', async (t) => {
  const account = await withHealthyItem();
  await account.push('A1', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [ad] = await account.listings('A1');
  await admin(`/listings/${ad?.itemId ?? 0}/bids`, { amount: 900 });
  await account.changePrice('A1', 77_700);
  await isFoundAndExplained(t, account, { reason: 'change_refused', error: /PRICE_REFUSED_BIDS/ });
  await admin(`/listings/${ad?.itemId ?? 0}/end`);
  await untilMarketplaceStatus(account, 'A1', 'sold');
  await isNotStuck(t, account);
});

// specification: receiver-dead
test.serial(
  'a dead receiver is found: its target in the list, its endpoint in the report; a retry delivers and ends both',
  async (t) => {
    const account = await newAccount();
    const fault = { path: `^/hooks/${account.id}$`, mode: 'status', status: 503 };
    await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', fault);
    await account.push('A1');
    const deliveries = world.foundation.store.connection.collection<{ _id: string; state: string }>('deliveries');
    const delivery = await until('there is one', () => deliveries.findOne({ accountId: account.id }));
    const [{ id: endpoint } = { id: '' }] = await listWebhooks(world.context, account.scope);
    await until('it was given up', async () => (await deliveries.findOne({ _id: delivery._id }))?.state === 'given_up');
    const list = { query: queriesOf('webhook-receiver-dead-or-slow')[0] ?? '', account };
    const workflowId = receiverWorkflowId(endpoint);
    await untilListed(world, list, [workflowId]);
    const details = await until('it says why', () => currentDetails(world, workflowId));
    t.true(details.includes(endpoint), details);
    t.regex(details, /503/);
    t.true(details.includes(textOfReason('receiver').whatToDo));
    t.notRegex(details, /hooks/);
    const report = await reportOf(account);
    t.like(report.receivers, { 0: { target: endpoint, reason: 'receiver', failCount: 1, missed: 1, waiting: 0 } });
    t.true(describeReport(report).includes(endpoint));
    await noFaults(world.receiver.adminUrl);
    await retryDelivery(operations, delivery._id);
    await until('it got through', async () => (await account.received('item.created')).length === 1);
    await until('nothing is missed', async () => (await reportOf(account)).receivers.length === 0);
    await untilListed(world, list, []);
    const { entries } = await readAuditLog(world.context, account.scope, {
      ...{ filter: { view: 'own' }, before: null, limit: 10 },
    });
    t.like(entries[0], { kind: 'redelivery_requested', actor: { kind: 'operator' } });
  },
);

const byPlate = (registrationPlate: string) => ({
  domain: { slug: 'vehicles' as const, attributes: { registrationPlate } },
});

// specification: plate-unknown
test.serial('a plate that nobody knows is found, and the right plate ends it', async (t) => {
  const account = await withHealthyItem();
  await account.push('A1', byPlate('XYZ99Z'), { autoPublish: true });
  await isFoundAndExplained(t, account, { reason: 'plate_unknown', error: /registry/ });
  await account.push('A1', byPlate('MLB84A'));
  await isNotStuck(t, account);
});

// specification: registry-down
test.serial('a registry that does not answer is found, and a retry asks it again', async (t) => {
  const account = await withHealthyItem();
  await callAdmin(`${world.registry.adminUrl}/faults`, 'POST', { mode: 'status', status: 503 });
  // Not the plate of the test before: an answer is remembered.
  await account.push('A1', byPlate('AAA000'), { autoPublish: true });
  await isFoundAndExplained(t, account, { reason: 'registry_silent', error: /registry/ });
  await noFaults(world.registry.adminUrl);
  const wish = { reason: 'registry_silent', account: account.id };
  await until('its blocked reason is stored', async () => (await retryStuck(operations, wish)).retried === 1);
  await isNotStuck(t, account);
});

// specification: language-model-down
test.serial('a language model that does not answer is found, and a retry asks it again', async (t) => {
  const account = await withHealthyItem();
  await callAdmin(`${world.ai.adminUrl}/faults`, 'POST', { mode: 'status', status: 503 });
  await account.push('A1', { useAiEnhancement: true }, { autoPublish: true });
  await isFoundAndExplained(t, account, { reason: 'text_model_silent', error: /model/ });
  await noFaults(world.ai.adminUrl);
  const wish = { reason: 'text_model_silent', account: account.id };
  t.is((await retryStuck(operations, wish)).retried, 1);
  await isNotStuck(t, account);
});

// specification: a-step-fails-again
test.serial(
  'a step that fails again and again is found with its error, and goes on by itself when the cause is mended',
  async (t) => {
    const account = await withHealthyItem();
    const validateItems = (validator: object): Promise<unknown> | undefined =>
      world.foundation.store.connection.db?.command({ collMod: 'items', validator });
    await validateItems({ $or: [{ externalId: { $ne: 'A1' } }, { 'listings.state': { $ne: 'live' } }] });
    await account.push('A1', {}, { autoPublish: true });
    const { itemId: id } = await explain(account);
    const [, query = ''] = queriesOf('a-step-or-a-workflow-task-fails');
    await untilListed(world, { query, account }, [`item:${id}`]);
    const details = await currentDetails(world, `item:${id}`);
    t.true(details.includes('`failing_step`') && /validation/.test(details), details);
    for (const reason of [undefined, 'failing_step']) {
      const { engine } = await findStuck(operations, { account: account.id, reason, sinceMs: 0, limit: 20 });
      if (engine.kind === 'away') return t.fail(engine.message);
      t.like(engine.blocked, [{ workflowId: `item:${id}`, reason: 'failing_step', stage: 'failing' }]);
    }
    await validateItems({});
    await untilMarketplaceStatus(account, 'A1', 'active');
    await untilListed(world, { query, account }, []);
    t.is((await untilRest(account, 'A1')).blocked, null);
  },
);
