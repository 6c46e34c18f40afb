import pLimit from 'p-limit';
import { loadAccountBook, saveAccountBook } from '../../../embedded/demo-accounts.ts';
import { seedAccounts } from '../../../embedded/seed.ts';
import type { RunningSystem } from '../../../embedded/system.ts';
import { loadCatalogue } from '../../../examples/catalogue/load-catalogue.ts';
import { checkDeliveries, missingDeliveries, type DeliveryReport } from '../../../examples/demo/check-deliveries.ts';
import { ObservedSystem, type Listing } from '../../../examples/demo/observed-system.ts';
import { expectedOutcome } from '../../../examples/expected-outcome.ts';
import { pushCatalogue } from '../../../examples/push-catalogue.ts';
import { readSeededAccounts } from '../../../examples/ready-file.ts';
import { startWebhookReceiver } from '../../../simulators/webhook-receiver/start-webhook-receiver.ts';
import { until } from '../../../test/support/until.ts';
import { callAdmin } from '../../../test/support/world.ts';
import type { Release } from './releases.ts';
import type { UpgradeWorld } from './upgrade-world.ts';

/** What a round must have come to, and what it has. */
export interface Counts {
  readonly items: number;
  readonly auctions: number;
  readonly sold: number;
  readonly deliveries: number;
}

/** A reseller and three members of their own, to whom the example catalogue is pushed. */
export interface Trade {
  readonly accountIds: readonly string[];
  readonly receiverAdminUrl: string;
  /** Pushes the catalogue, and gives how many items the service calls so. */
  push(outcome: 'created' | 'unchanged'): Promise<number>;
  isUnderWay(): Promise<boolean>;
  /** Every item is active, and every auction up. */
  untilLive(): Promise<void>;
  /** Buyers take every third auction that is up, at most so many. */
  sell(max?: number): Promise<void>;
  /** Waits for all that must happen. */
  end(): Promise<{ readonly wanted: Counts; readonly got: Counts } & Pick<DeliveryReport, 'problems' | 'repeats'>>;
  close(): Promise<void>;
}

const items = loadCatalogue();
export const catalogueSize = items.length;
const patienceMs = 600_000;

export async function openTrade(
  world: UpgradeWorld,
  { round, release }: { round: number; release: Release },
): Promise<Trade> {
  const home = world.homeOf(`round-${round}`, release);
  const receiver = await startWebhookReceiver({
    tls: { keyFile: process.env['TEST_TLS_KEY_FILE'] ?? '', certFile: process.env['TEST_TLS_CERT_FILE'] ?? '' },
  });
  const simulators = { ...world.simulators, webhookReceiver: receiver };
  nameAccounts(home.accountsFile, round);
  const { accounts } = await seedAccounts({
    home,
    system: { apiUrl: world.apiUrl, simulators, environment: world.environment } as unknown as RunningSystem,
    withPast: false,
  });
  const seeded = readSeededAccounts(home.directory);
  const endpoints = seeded.flatMap((account) =>
    account.endpoints.map(({ url, secret, scope }) => ({
      account: account.externalId,
      path: new URL(url).pathname,
      secret,
      scope,
    })),
  );
  const observed = new ObservedSystem({ apiUrl: world.apiUrl, accounts, simulators });
  const sold: string[] = [];
  let itemIds = new Set<string>();
  const statuses = () => pLimit(4).map(items, (item) => observed.statusOf(item));
  const expected = () => expectedOutcome({ items, endpoints, sold, ended: [] });
  const listings = async (): Promise<Listing[]> =>
    (await observed.listings()).filter(
      ({ state, ownReferences }) =>
        state !== 'uncommitted' && ownReferences.some((reference) => itemIds.has(reference)),
    );
  const isLive = async () => {
    const published = items.filter(({ autoPublishTradera }) => autoPublishTradera === true);
    const isUp = new Set(published.map(({ externalId }) => externalId));
    return (await statuses()).every(
      ({ externalId, serviceStatus, marketplaceStatus }) =>
        serviceStatus === 'active' && (marketplaceStatus === 'active' || !isUp.has(externalId)),
    );
  };
  const accountIds = seeded.map(({ userId }) => userId);
  const owned = { accountId: { $in: accountIds }, current: true };
  return {
    accountIds,
    receiverAdminUrl: receiver.adminUrl,
    push: async (outcome) => {
      const summary = await pushCatalogue({ apiUrl: world.apiUrl, accounts, imagesUrl: simulators.images.url });
      itemIds = new Set(Object.values(summary.itemIds));
      return summary[outcome];
    },
    isUnderWay: async () => !(await isLive()),
    untilLive: async () => {
      await until('everything is live', isLive, patienceMs);
    },
    sell: async (max = Infinity) => {
      const up = (await listings()).filter(({ state }) => state === 'active');
      // By what they are called, so that each round sells the same.
      const named = up.map((listing) => ({ ...listing, name: listing.ownReferences[0] ?? '' }));
      const ordered = named.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      for (const { itemId, startPrice, name } of ordered.filter((_, n) => n % 3 === 0).slice(0, max)) {
        const url = `${world.simulators.marketplace.adminUrl}/listings/${itemId}`;
        await callAdmin(`${url}/bids`, 'POST', { amount: startPrice + 50 });
        await callAdmin(`${url}/end`, 'POST', {});
        sold.push(name);
      }
    },
    end: async () => {
      const isSold = async () =>
        (await statuses()).filter(({ marketplaceStatus }) => marketplaceStatus === 'sold').length;
      await until('the sales are seen', async () => (await isSold()) >= sold.length, patienceMs);
      const { deliveries, auctions } = expected();
      const missing = async () => missingDeliveries(await observed.received(), deliveries);
      await until('the deliveries are there', async () => (await missing()).length === 0, patienceMs);
      const checked = checkDeliveries(await observed.received(), deliveries, endpoints);
      return {
        wanted: { items: items.length, auctions, sold: sold.length, deliveries: deliveries.length },
        got: {
          items: await world.store.connection.collection('items').countDocuments(owned),
          auctions: (await listings()).length,
          sold: await isSold(),
          deliveries: Object.values(checked.counts).reduce((sum, count) => sum + count, 0),
        },
        problems: checked.problems,
        repeats: checked.repeats,
      };
    },
    close: () => receiver.close(),
  };
}

/** Those of `npm start`, with names that no other round has. */
function nameAccounts(file: string, round: number): void {
  const book = loadAccountBook(file);
  const accounts = book.accounts.map((account) => ({
    ...account,
    email: `round-${round}-${account.email}`,
    marketplaceUserId: `${round}${account.marketplaceUserId}`,
    ...(account.slug !== undefined && { slug: `${account.slug}-${round}` }),
  }));
  saveAccountBook(file, { ...book, accounts });
}
