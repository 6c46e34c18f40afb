import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { acceptBulkSync } from '../../features/bulk-syncs/accept-bulk-sync.ts';
import { findStuck } from '../../features/operations/find-stuck.ts';
import { aLine, linesOf } from '../bulk-syncs/support/bulk-calls.ts';
import { operationsOf } from '../cli/support/ops-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startEnrichingWorld, type EnrichingWorld } from '../support/enriching-world.ts';
import { callAdmin, startWorld, untilMarketplaceStatus, type TestAccount } from '../support/world.ts';
import { startTemporalWithShortHistories } from '../workflows/support/own-temporal.ts';
import { addRow, measure, writeTable, type Kind } from './support/trouble-table.ts';

// Every kind of trouble that an operator meets: made for real, looked for in the one list, read there, and ended as the runbook says.

let world: EnrichingWorld;
const imageFolder = temporaryFolder('images-of-kinds');
const picture = readdirSync('examples/catalogue/images')[0] ?? '';

test.before(async () => {
  world = await startEnrichingWorld({ IMAGE_STORE_DIR: imageFolder });
});
test.after.always(async () => {
  writeTable();
  await world.stop();
});

const admin = (path: string, body: object = {}): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
const fault = (adminUrl: string, body: object): Promise<unknown> => callAdmin(`${adminUrl}/faults`, 'POST', body);
const noFaults = (adminUrl: string): Promise<unknown> => callAdmin(`${adminUrl}/faults`, 'DELETE');
const marketplaceWell = (): Promise<unknown> => noFaults(world.marketplace.adminUrl);
const imagesWell = (): Promise<unknown> => noFaults(world.images.adminUrl);
const receiversWell = (): Promise<unknown> => noFaults(world.receiver.adminUrl);
const withPicture = () => ({ imageUrls: [`${world.images.url}/${picture}`] });
const published = { autoPublish: true };
const byPlate = (registrationPlate: string) => ({
  domain: { slug: 'vehicles' as const, attributes: { registrationPlate } },
});
const refuse = async (collection: string, validator: object): Promise<void> => {
  await world.foundation.store.connection.db?.command({ collMod: collection, validator });
};
const scripted = (code: string): Promise<unknown> => admin('/results', { ownReference: 'A1', codes: [code], times: 1 });

async function liveWithBid(account: TestAccount): Promise<number> {
  await account.push('A1', {}, published);
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [ad] = await account.listings('A1');
  await admin(`/listings/${ad?.itemId ?? 0}/bids`, { amount: 900 });
  return ad?.itemId ?? 0;
}
const endAuction = async (account: TestAccount): Promise<unknown> =>
  admin(`/listings/${(await account.listings('A1'))[0]?.itemId ?? 0}/end`);

async function pushMany(account: TestAccount, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => account.push(`A${n + 1}`)));
}
const hooksOf = ({ id }: TestAccount): string => `^/hooks/${id}$`;
const receiverFails = (account: TestAccount): Promise<unknown> =>
  fault(world.receiver.adminUrl, { path: hooksOf(account), mode: 'status', status: 500 });

async function bulkOf({ scope }: TestAccount): Promise<void> {
  const bytes = Buffer.from(linesOf(Array.from({ length: 30 }, (_, n) => aLine(`B${n}`))));
  const body = {
    bytes: async function* () {
      yield bytes;
    },
    digest: () => 'digest',
    drain: () => Promise.resolve(),
  };
  await acceptBulkSync(world.context, scope, { mode: 'merge', leftOut: 'empty', isConfirmed: false, body });
}

const byRetry = (mend: Kind['mend']): Pick<Kind, 'mend' | 'freedBy'> => ({ mend, freedBy: 'retry' });

const kinds: readonly Kind[] = [
  {
    kind: 'token expired',
    reason: 'marketplace_reconnection',
    says: /MARKETPLACE_TOKEN_EXPIRED/,
    make: async (account) => {
      await admin(`/users/${account.id}/expire-token`);
      await account.push('A1', {}, published);
    },
    mend: (account) => account.connect(),
    freedBy: 'the partner connects again',
  },
  {
    kind: 'picture 404, to be published',
    reason: 'images',
    says: /IMAGES_FAILED/,
    make: async (account) => {
      await fault(world.images.adminUrl, { mode: 'status', status: 404 });
      await account.push('A1', withPicture(), published);
    },
    ...byRetry(imagesWell),
  },
  {
    kind: 'picture 404, not to be published',
    reason: 'images',
    says: /IMAGES_FAILED/,
    make: async (account) => {
      await fault(world.images.adminUrl, { mode: 'status', status: 404 });
      await account.push('A1', withPicture());
    },
    ...byRetry(imagesWell),
  },
  {
    kind: 'image host drops its connections',
    reason: 'images',
    says: /IMAGES_FAILED/,
    make: async (account) => {
      await fault(world.images.adminUrl, { mode: 'drop-before' });
      await account.push('A1', withPicture(), published);
    },
    ...byRetry(imagesWell),
  },
  {
    kind: 'image store takes nothing',
    reason: 'image_store',
    says: /What to do/,
    make: async (account) => {
      renameSync(imageFolder, `${imageFolder}-away`);
      writeFileSync(imageFolder, 'a file where the folder was: every write fails, as on a full disk');
      await account.push('A1', withPicture(), published);
    },
    mend: () => {
      rmSync(imageFolder);
      renameSync(`${imageFolder}-away`, imageFolder);
      return Promise.resolve();
    },
    freedBy: 'retry',
  },
  {
    kind: 'plate unknown',
    reason: 'plate_unknown',
    says: /registry/,
    make: (account) => account.push('A1', byPlate('XYZ99Z'), published),
    mend: (account) => account.push('A1', byPlate('MLB84A')),
    freedBy: 'the partner pushes the right plate',
  },
  {
    kind: 'registry down',
    reason: 'registry_silent',
    says: /registry/,
    make: async (account) => {
      await fault(world.registry.adminUrl, { mode: 'status', status: 503 });
      await account.push('A1', byPlate('AAA000'), published);
    },
    ...byRetry(() => noFaults(world.registry.adminUrl)),
  },
  {
    kind: 'language model down',
    reason: 'text_model_silent',
    says: /model/,
    make: async (account) => {
      await fault(world.ai.adminUrl, { mode: 'status', status: 503 });
      await account.push('A1', { useAiEnhancement: true }, published);
    },
    ...byRetry(() => noFaults(world.ai.adminUrl)),
  },
  {
    kind: 'marketplace answers 503',
    reason: 'marketplace',
    says: /MARKETPLACE_TIMEOUT/,
    make: async (account) => {
      await fault(world.marketplace.adminUrl, { mode: 'status', status: 503 });
      await account.push('A1', {}, published);
    },
    ...byRetry(marketplaceWell),
  },
  {
    kind: 'marketplace hangs',
    reason: 'marketplace',
    says: /MARKETPLACE_TIMEOUT/,
    make: async (account) => {
      await fault(world.marketplace.adminUrl, { mode: 'delay', delayMs: 20_000 });
      await account.push('A1', {}, published);
    },
    ...byRetry(marketplaceWell),
  },
  {
    kind: 'application refused',
    reason: 'operator',
    says: /MARKETPLACE_APPLICATION_REFUSED/,
    make: async (account) => {
      await fault(world.marketplace.adminUrl, { mode: 'status', status: 401 });
      await account.push('A1', {}, published);
    },
    ...byRetry(marketplaceWell),
  },
  {
    kind: 'call budget used up',
    reason: 'marketplace_budget',
    says: /MARKETPLACE_BUDGET_EXHAUSTED/,
    make: async (account) => {
      await admin('/budget', { callsPerDay: 0 });
      await account.push('A1', {}, published);
    },
    ...byRetry(() => admin('/budget', { callsPerDay: null })),
  },
  {
    kind: 'limit of active listings',
    reason: 'marketplace_active_limit',
    says: /active/,
    make: async (account) => {
      await scripted('ReachedMaximumActiveItemsThreshold');
      await account.push('A1', {}, published);
    },
    ...byRetry(null),
  },
  {
    kind: 'listing refused',
    reason: 'given_up',
    says: /LISTING_REFUSED/,
    make: async (account) => {
      await scripted('Error');
      await account.push('A1', {}, published);
    },
    ...byRetry(null),
  },
  {
    kind: 'bids block a price',
    reason: 'change_refused',
    says: /PRICE_REFUSED_BIDS/,
    make: async (account) => {
      await liveWithBid(account);
      await account.changePrice('A1', 77_700);
    },
    mend: endAuction,
    freedBy: 'the end of the auction',
  },
  {
    kind: 'bids block a take-down',
    reason: 'auction_end',
    says: /TAKEDOWN_REFUSED_BIDS/,
    make: async (account) => {
      await liveWithBid(account);
      await account.changeStatus('A1', 'not_listed');
    },
    mend: endAuction,
    freedBy: 'the end of the auction',
  },
  {
    kind: "an item's look at itself fails",
    reason: 'failing_step',
    says: /failed validation/,
    make: async (account) => {
      await refuse('items', { 'listings.state': { $ne: 'drafting' } });
      await account.push('A1', {}, published);
    },
    ...byRetry(() => refuse('items', {})),
  },
  {
    kind: 'a step fails',
    reason: 'failing_step',
    says: /failed validation/,
    make: async (account) => {
      await refuse('items', { 'listings.state': { $ne: 'live' } });
      await account.push('A1', {}, published);
    },
    ...byRetry(() => refuse('items', {})),
  },
  {
    kind: 'bulk sync can not go on',
    reason: 'failing_step',
    says: /failed validation/,
    make: async (account) => {
      await refuse('bulk_syncs', { created: { $lt: 1 } });
      await bulkOf(account);
    },
    ...byRetry(() => refuse('bulk_syncs', {})),
  },
  {
    kind: 'receiver answers 500',
    reason: 'receiver',
    says: /500/,
    make: async (account) => {
      await receiverFails(account);
      await account.push('A1');
    },
    mend: async (account) => {
      await until('it was given up', () =>
        world.foundation.store.connection
          .collection('deliveries')
          .findOne({ accountId: account.id, state: 'given_up' }),
      );
      await receiversWell();
    },
    freedBy: 'retry',
  },
  {
    kind: 'endpoint disabled after 15 failures',
    reason: 'endpoint_disabled',
    says: /15/,
    make: async (account) => {
      await receiverFails(account);
      await pushMany(account, 16);
      await until('it is disabled', () =>
        world.foundation.store.connection
          .collection('webhook_endpoints')
          .findOne({ accountId: account.id, active: false }),
      );
    },
    ...byRetry(receiversWell),
  },
  {
    kind: 'receiver is slow',
    reason: 'receiver_slow',
    says: /oldest/,
    make: async (account) => {
      await fault(world.receiver.adminUrl, { path: hooksOf(account), mode: 'delay', delayMs: 8_000 });
      await pushMany(account, 60);
    },
    mend: receiversWell,
    freedBy: 'itself, once the receiver is quick',
  },
];

// specification: token-expired-found-read, marketplace-down, call-budget-exhausted, images-broken, bids-block-a-price
// specification: receiver-dead, plate-unknown, registry-down, language-model-down, a-step-fails-again
for (const kind of kinds)
  test.serial(`${kind.kind}: in the list of all that is stuck, explained, and ended by ${kind.freedBy}`, async (t) => {
    await measure(t, world, { ...kind, account: await world.account() });
  });

test.serial('marketplace never connected: listed, explained, and ended by the partner', async (t) => {
  const account = await world.account({ connected: false });
  await measure(t, world, {
    kind: 'never connected',
    reason: 'marketplace_connection',
    says: /connected/,
    account,
    make: () => account.push('A1', {}, published),
    mend: () => account.connect(),
    freedBy: 'the partner connects',
  });
});

test.serial('worker down: `ops stuck` says so, and a started worker does what is owed', async (t) => {
  const still = await startWorld({ workers: false });
  try {
    const account = await still.account();
    const operations = operationsOf(still);
    const madeAt = performance.now();
    await account.push('A1', { imageUrls: [`${still.images.url}/${picture}`] });
    await until('it is overdue', async () => {
      const { overdue } = await findStuck(operations, { sinceMs: 0, limit: 20 });
      return overdue.count > 0;
    });
    const foundMs = performance.now() - madeAt;
    const freedAt = performance.now();
    await still.startWorkers();
    await until('nothing is overdue', async () => {
      const { overdue } = await findStuck(operations, { sinceMs: 0, limit: 20 });
      return overdue.count === 0 && (await account.received('item.created')).length === 1;
    });
    const sentence = '1 item should have been looked after … no worker runs, or none reaches the engine';
    const [list, freedBy] = ['`ops stuck`; alert WorkerAbsent', 'starting a worker'];
    addRow({ kind: 'worker down', list, foundMs, sentence, freedBy, freedMs: performance.now() - freedAt });
    t.is((await account.received('item.created')).length, 1, 'once');
  } finally {
    await still.stop();
  }
});

test.serial('Temporal down: writes are taken, `ops stuck` says so, and what is owed goes on by itself', async (t) => {
  const server = await startTemporalWithShortHistories(4_096);
  const own = await startWorld({ environment: { TEMPORAL_ADDRESS: server.address } });
  try {
    const account = await own.account();
    await server.stop();
    const madeAt = performance.now();
    await account.push('A1', {}, published);
    const { engine } = await findStuck(operationsOf(own), { sinceMs: 0, limit: 20 });
    if (engine.kind !== 'away') return t.fail('the engine answers');
    const foundMs = performance.now() - madeAt;
    const freedAt = performance.now();
    await server.start();
    await untilMarketplaceStatus(account, 'A1', 'active');
    t.is((await account.listings('A1')).length, 1, 'published once');
    const [list, freedBy] = ['`ops stuck`; alert WorkflowStartsLost', 'starting Temporal'];
    addRow({
      kind: 'Temporal down',
      list,
      foundMs,
      sentence: engine.message,
      freedBy,
      freedMs: performance.now() - freedAt,
    });
  } finally {
    await own.stop();
    await server.stop();
  }
});
