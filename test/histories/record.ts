// `npm run generate -- histories`: real runs on the real server with the simulators outside, each written as one history for
// test/workflows/replay.test.ts. What this version has already is left as it is. README.md says when to run it.
import { readdirSync } from 'node:fs';
import test from 'ava';
import type { Client } from '@temporalio/client';
import {
  bulkSyncType,
  bulkSyncWorkflowId,
  deliverEventType,
  itemLifecycleType,
  receiverType,
  receiverWorkflowId,
  retrySignalName,
} from '../../workflows/contracts/workflows.ts';
import { deliveryId, endpointId, type EndpointId } from '../../features/rules/ids.ts';
import { blockedReasonKey } from '../../workflows/contracts/search-attributes.ts';
import { until } from '../support/until.ts';
import { failedSteps, runOf, untilShown } from './shown-run.ts';
import { startEnrichingWorld, type EnrichingWorld } from '../support/enriching-world.ts';
import { callAdmin, startWorld, untilMarketplaceStatus, type TestAccount, type World } from '../support/world.ts';
import { startTemporalWithShortHistories } from '../workflows/support/own-temporal.ts';
import { isRecorded, runsOf, writeHistories, type Run } from './history-files.ts';
import { acceptBulkSync } from '../../features/bulk-syncs/accept-bulk-sync.ts';
import { cancelBulkSync, readBulkSync } from '../../features/bulk-syncs/manage-bulk-syncs.ts';
import { listWebhooks, changeWebhook } from '../../features/webhooks/manage-webhooks.ts';
import { redeliver } from '../../features/webhooks/webhook-deliveries.ts';
import { recoverTarget } from '../../features/webhooks/recover-target.ts';
import { present } from '../support/clock.ts';

let world: EnrichingWorld;

test.before(async () => {
  world = await startEnrichingWorld();
});
test.after.always(async () => {
  await world.stop();
});

const admin = (path: string, body: object = {}): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
const pictures = readdirSync('examples/catalogue/images');
const image = (n: number, { images }: World = world): string => `${images.url}/${pictures[n] ?? ''}`;

const untilFailed = (account: TestAccount, code: string): Promise<unknown> =>
  until(code, async () =>
    (await account.received('listing.failed')).some(({ body }) => String(body.data['error']).startsWith(code)),
  );

/** A finished run only: one that still goes on has no end to be replayed. */
const untilEnded = (client: Client, workflowId: string): Promise<unknown> =>
  client.workflow.getHandle(workflowId).result();

const published = async (account: TestAccount): Promise<void> => {
  await account.push('A1', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
};
const adOf = async (account: TestAccount): Promise<number> => {
  const [ad] = await account.listings('A1');
  if (ad === undefined) throw new Error('not up');
  return ad.itemId;
};

const validateItems = async (validator: object): Promise<unknown> =>
  world.foundation.store.connection.db?.command({ collMod: 'items', validator });
/** The database refuses what the step wants to write, so the step fails so often after the auction is up. */
const failingStep = (times: number): ItemStory => ({
  when: async (account) => {
    await validateItems({ 'listings.state': { $ne: 'live' } });
    await account.push('A1', {}, { autoPublish: true });
    try {
      await until('the failures are waited for', async () => (await failedSteps(world, account)) >= times);
    } finally {
      await validateItems({});
    }
    await untilMarketplaceStatus(account, 'A1', 'active');
  },
});

interface ItemStory {
  /** Done before what is recorded. */
  readonly given?: (account: TestAccount) => Promise<unknown>;
  readonly when: (account: TestAccount) => Promise<unknown>;
}

const restingForImages = (autoPublish: boolean, end: ItemStory['when']): ItemStory => ({
  when: async (account) => {
    await account.push('A1', { imageUrls: [`${world.images.url}/missing.jpg`] }, { autoPublish });
    await untilShown(world, account, 'images');
    await end(account);
  },
});

const itemStories: Readonly<Record<string, ItemStory>> = {
  'published-with-images': {
    when: (account) => account.push('A1', { imageUrls: [image(0), image(1)] }, { autoPublish: true }),
  },
  'images-failed': restingForImages(false, (account) => account.remove('A1')),
  'came-to-rest-for-images': restingForImages(true, (account) =>
    account.push('A1', { imageUrls: [image(0)] }, { autoPublish: true }),
  ),
  'retried-at-rest': {
    when: async (account) => {
      await callAdmin(`${world.ai.adminUrl}/faults`, 'POST', { mode: 'status', status: 503 });
      await account.push('A1', { useAiEnhancement: true });
      await untilShown(world, account, 'text_model_silent');
      await callAdmin(`${world.ai.adminUrl}/faults`, 'DELETE');
      await (await runOf(world, account)).signal(retrySignalName);
    },
  },
  'look-failed-again-and-again': {
    when: async (account) => {
      await validateItems({ 'listings.state': { $ne: 'drafting' } });
      await account.push('A1', {}, { autoPublish: true });
      try {
        await untilShown(world, account, 'failing_step');
      } finally {
        await validateItems({});
      }
      await (await runOf(world, account)).signal(retrySignalName);
      await untilMarketplaceStatus(account, 'A1', 'active');
    },
  },
  'commit-lost': {
    when: async (account) => {
      await admin('/faults', { method: 'POST', path: '/commit$', mode: 'drop-before', times: 1 });
      await published(account);
    },
  },
  'step-failed': failingStep(1),
  'step-failed-again-and-again': failingStep(3),
  enriched: {
    when: (account) =>
      account.push('A1', {
        useAiEnhancement: true,
        domain: { slug: 'vehicles', attributes: { registrationPlate: 'MLB84A', mileageKm: 9_000 } },
      }),
  },
  'waits-for-reconnection': {
    when: async (account) => {
      await admin(`/users/${account.id}/expire-token`);
      await account.push('A1', {}, { autoPublish: true });
      await untilFailed(account, 'MARKETPLACE_TOKEN_EXPIRED');
      await account.connect();
      await untilMarketplaceStatus(account, 'A1', 'active');
    },
  },
  repriced: { given: published, when: (account) => account.push('A1', { title: 'Ny rubrik', priceOre: 77_700 }) },
  'taken-down': { given: published, when: (account) => account.changeStatus('A1', 'not_listed') },
  'take-down-refused-then-sold': {
    given: published,
    when: async (account) => {
      const ad = await adOf(account);
      await admin(`/listings/${ad}/bids`, { amount: 900 });
      await account.changeStatus('A1', 'not_listed');
      await untilFailed(account, 'TAKEDOWN_REFUSED_BIDS');
      await admin(`/listings/${ad}/end`);
      await until('sold', async () => (await account.received('item.sold')).length > 0);
    },
  },
  deleted: { given: published, when: (account) => account.remove('A1') },
};

const missing = <Story>(workflow: string, stories: Readonly<Record<string, Story>>): [path: string, Story][] =>
  Object.entries(stories)
    .map(([name, story]): [string, Story] => [`${workflow}/${name}`, story])
    .filter(([path]) => !isRecorded(path));

for (const [path, { given, when }] of missing(itemLifecycleType, itemStories)) {
  test.serial(path, async (t) => {
    const { client } = world.foundation;
    const account = await world.account();
    await given?.(account);
    const before = given === undefined ? [] : await endedRuns(client, account);
    await when(account);
    const after = await endedRuns(client, account);
    const runs = after.filter(({ runId }) => !before.some((known) => known.runId === runId));
    await writeHistories(client, path, runs);
    t.pass(`${runs.length} runs`);
  });
}

/** The runs of the account's one item, when nothing is left to do. */
async function endedRuns(client: Client, account: TestAccount, { foundation }: World = world): Promise<Run[]> {
  const items = foundation.store.connection.collection<{ _id: string }>('items');
  const item = await until('it is settled', () =>
    items.findOne({ accountId: account.id, $expr: { $eq: ['$revision', '$settledRevision'] } }),
  );
  await untilEnded(client, `item:${item._id}`);
  return runsOf(client, `item:${item._id}`);
}

if (!isRecorded(`${itemLifecycleType}/continued-as-new`)) {
  test.serial(`${itemLifecycleType}/continued-as-new`, async (t) => {
    const server = await startTemporalWithShortHistories(20);
    const short = await startWorld({ environment: { TEMPORAL_ADDRESS: server.address } });
    try {
      const account = await short.account();
      await account.push('A1', { imageUrls: [image(0, short)] }, { autoPublish: true });
      await untilMarketplaceStatus(account, 'A1', 'active');
      const runs = await endedRuns(short.foundation.client, account, short);
      t.true(runs.length > 1);
      await writeHistories(short.foundation.client, `${itemLifecycleType}/continued-as-new`, runs);
    } finally {
      await short.stop();
      await server.stop();
    }
  });
}

/** What the receiver answers to the first attempts; afterwards it takes the event. A new event has its first attempt before it has a run. */
const deliveryStories = {
  redelivered: { isAgain: true, fault: undefined },
  'refused-for-good': { isAgain: true, fault: { mode: 'status', status: 410 } },
  'three-failures': { isAgain: false, fault: { mode: 'status', status: 503, times: 3 } },
  'given-up': { isAgain: false, fault: { mode: 'status', status: 503 } },
};

for (const [path, { isAgain, fault }] of missing(deliverEventType, deliveryStories)) {
  test.serial(path, async (t) => {
    const account = await world.account();
    const { client, store } = world.foundation;
    const deliveries = store.connection.collection<{ _id: string; state: string }>('deliveries');
    const untilClosed = (count: number) =>
      until('it is closed', async () => {
        const rows = await deliveries.find({ accountId: account.id }).sort({ createdAt: -1 }).toArray();
        return rows.length === count && rows.every(({ state }) => state !== 'pending') && rows[0];
      });
    const failing = async (): Promise<void> => {
      if (fault === undefined) return;
      const path = `^/hooks/${account.id}$`;
      await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', { path, ...fault });
    };
    if (!isAgain) await failing();
    await account.push('A1');
    let last = await untilClosed(1);
    if (isAgain) {
      await failing();
      await redeliver(world.context, account.scope, deliveryId(last._id));
      last = await untilClosed(2);
    }
    const workflowId = `delivery:${last._id}`;
    await untilEnded(client, workflowId);
    await writeHistories(client, path, await runsOf(client, workflowId));
    t.pass();
  });
}

/** What the receiver answers to the first of the events that are sent again. */
const recoveryStories = {
  'all-got-through': undefined,
  'one-tried-again': { mode: 'status', status: 503, times: 1 },
};

/** A receiver's run that is told of by its endpoint's id. */
async function recordReceiver(path: string, story: (account: TestAccount, id: EndpointId) => Promise<unknown>) {
  const account = await world.account();
  const { client } = world.foundation;
  const [endpoint] = await listWebhooks(world.context, account.scope);
  const id = endpointId(endpoint?.id ?? '');
  await story(account, id);
  await untilEnded(client, receiverWorkflowId(id));
  await writeHistories(client, path, await runsOf(client, receiverWorkflowId(id)));
}

for (const [path, fault] of missing(receiverType, recoveryStories)) {
  test.serial(path, async (t) => {
    await recordReceiver(path, async (account, id) => {
      const { context } = world;
      await changeWebhook(context, account.scope, { endpointId: id, change: { active: false } });
      await Promise.all(['A1', 'A2'].map((externalId) => account.push(externalId)));
      const held = { accountId: account.id, state: 'held' };
      const deliveries = world.foundation.store.connection.collection('deliveries');
      await until('held', async () => (await deliveries.countDocuments(held)) === 2);
      await changeWebhook(context, account.scope, { endpointId: id, change: { active: true } });
      if (fault !== undefined) {
        const path = `^/hooks/${account.id}$`;
        await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', { path, ...fault });
      }
      await recoverTarget(context, account.scope, { endpointId: id, since: present(-60_000) });
    });
    t.pass();
  });
}

/** From the fifteenth delivery that is given up until the endpoint is enabled and has what it missed. */
const troubleStories = { 'disabled-then-recovered': undefined };

for (const [path] of missing(receiverType, troubleStories)) {
  test.serial(path, async (t) => {
    await recordReceiver(path, async (account, id) => {
      const { context } = world;
      const { client, store } = world.foundation;
      await store.connection
        .collection<{ _id: string }>('webhook_endpoints')
        .updateOne({ _id: id }, { $set: { failCount: 14 } });
      const fault = { path: `^/hooks/${account.id}$`, mode: 'status', status: 410, times: 1 };
      await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', fault);
      await account.push('A1');
      const handle = client.workflow.getHandle(receiverWorkflowId(id));
      const untilReason = (reason: string) =>
        until(
          reason,
          async () => {
            const run = await handle.describe().catch(() => undefined);
            return run?.typedSearchAttributes.get(blockedReasonKey) === reason;
          },
          60_000,
        );
      await untilReason('endpoint_disabled');
      await changeWebhook(context, account.scope, { endpointId: id, change: { active: true } });
      await untilReason('events_missed');
      await handle.signal(retrySignalName);
    });
    t.pass();
  });
}

const bodyOf = (lineCount: number) => {
  const lines = Array.from({ length: lineCount }, (_, n) =>
    JSON.stringify({ externalId: `A${n}`, title: 'Vara', price: 100, imageUrls: [] }),
  );
  const bytes = Buffer.from(lines.join('\n'));
  return {
    bytes: async function* () {
      yield await Promise.resolve(bytes);
    },
    digest: () => '',
    begin: () => Promise.resolve(),
    drain: () => Promise.resolve(),
  };
};

/** Lines, and whether it is cancelled once some are applied. */
const bulkStories = {
  completed: { lineCount: 250, isCancelled: false },
  cancelled: { lineCount: 1_600, isCancelled: true },
};

async function playBulk(at: World, { lineCount, isCancelled }: { lineCount: number; isCancelled: boolean }) {
  const { scope } = await at.account({ connected: false });
  const { id } = await acceptBulkSync(at.context, scope, {
    mode: 'merge',
    leftOut: 'empty',
    isConfirmed: false,
    body: bodyOf(lineCount),
  });
  if (isCancelled) {
    await until('some are applied', async () => (await readBulkSync(at.context, scope, id)).created > 0);
    await cancelBulkSync(at.context, scope, id);
  }
  await until('it has ended', async () => (await readBulkSync(at.context, scope, id)).completedAt !== null);
  const { client } = at.foundation;
  await untilEnded(client, bulkSyncWorkflowId(id));
  return runsOf(client, bulkSyncWorkflowId(id));
}

for (const [path, story] of missing(bulkSyncType, bulkStories)) {
  test.serial(path, async (t) => {
    await writeHistories(world.foundation.client, path, await playBulk(world, story));
    t.pass();
  });
}

if (!isRecorded(`${bulkSyncType}/continued-as-new`)) {
  test.serial(`${bulkSyncType}/continued-as-new`, async (t) => {
    const server = await startTemporalWithShortHistories(20);
    const short = await startWorld({ environment: { TEMPORAL_ADDRESS: server.address } });
    try {
      const runs = await playBulk(short, { lineCount: 1_000, isCancelled: false });
      t.true(runs.length > 1);
      await writeHistories(short.foundation.client, `${bulkSyncType}/continued-as-new`, runs);
    } finally {
      await short.stop();
      await server.stop();
    }
  });
}

test.serial('every story of this version has its history', (t) => {
  const left = [
    ...missing(itemLifecycleType, itemStories),
    ...missing(deliverEventType, deliveryStories),
    ...missing(receiverType, { ...recoveryStories, ...troubleStories }),
    ...missing(bulkSyncType, bulkStories),
  ];
  t.deepEqual(
    left.map(([path]) => path),
    [],
  );
});
