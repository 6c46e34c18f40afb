import { randomBytes, randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { accountId, itemId, type AccountId, type ItemId } from '../../features/rules/ids.ts';
import type { Listing } from '../../features/items/rules/item.ts';
import type { Seller } from '../../gateways/marketplace/port.ts';
import { createLogger } from '../../platform/logger.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import {
  findMarketplaceConnection,
  removeMarketplaceConnection,
} from '../../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { advanceItem } from '../../features/items/advance-item.ts';
import { createSellerAccess, type SellerAccess } from '../../features/listings/seller-access.ts';
import { goLive } from '../../features/listings/go-live.ts';
import { prepareListing, type ListingDependencies } from '../../features/listings/prepare-listing.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { aLiveItem, anItem, later } from '../support/an-item.ts';
import { Barrier } from '../support/barrier.ts';
import { ScriptedMarketplace } from './support/scripted-marketplace.ts';
import { withDatabase } from '../support/with-database.ts';

// Somebody connects as another marketplace user just while something goes live. Whoever is connected at the end is the one
// whose auction is up, since nobody else could change it, take it down or learn of its sale.

const store = withDatabase(test);
const encryption = createEncryption([{ id: 'test', secret: randomBytes(32).toString('base64') }]);
const now = () => later(0);

/** The marketplace in memory that knows as whom each commit came. */
class KnowingMarketplace extends ScriptedMarketplace {
  readonly committedBy: string[] = [];
  readonly #madeBy = new Map<string, string>();

  override async createDraft(...[seller, draft]: Parameters<ScriptedMarketplace['createDraft']>) {
    const receipt = await super.createDraft(seller, draft);
    this.#madeBy.set(receipt.requestId, (seller as Seller).marketplaceUserId);
    return receipt;
  }

  override async commit(seller: unknown, requestId: string): Promise<void> {
    const user = (seller as Seller).marketplaceUserId;
    if (this.#madeBy.get(requestId) !== user) throw new Error(`${user} commits the draft of another`);
    this.committedBy.push(user);
    return super.commit(seller, requestId);
  }
}

class Stage {
  readonly account: AccountId = accountId(randomUUID());
  readonly id: ItemId = itemId(randomUUID());
  readonly key = { accountId: this.account, id: this.id };
  readonly items = createItemStore(store());
  readonly watch = createMarketplaceWatch(store());
  readonly marketplace = new KnowingMarketplace();
  readonly sellers: SellerAccess = createSellerAccess({ watch: this.watch, encryption, lookIntervalMs: 1_000, now });

  /** `confirmCredential` is asked between the check of the present connection and its replacement. */
  connect(marketplaceUserId: string, confirmCredential = () => Promise.resolve()): Promise<unknown> {
    const scope = { accountId: this.account, actingAccountId: this.account, credential: { kind: 'system' } } as const;
    const context = { store: store(), encryption, confirmCredential, now };
    return setMarketplaceConnection(context, scope, { marketplaceUserId, token: `token of ${marketplaceUserId}` });
  }

  async connectedUser(): Promise<string | undefined> {
    return (await findMarketplaceConnection(store(), this.account))?.marketplaceUserId;
  }

  async listing(): Promise<Listing | undefined> {
    return (await this.items.findById(this.key))?.listings.at(-1);
  }

  goLive(sellers: Partial<SellerAccess> = {}): Promise<void> {
    return goLive(this.#dependencies(sellers), { accountId: this.account, itemId: this.id, publication: 1 });
  }

  /** As the workflow does, until nothing is left; or until it is about to go live. */
  async work(end?: 'go-live'): Promise<void> {
    const advancing = { items: this.items, now };
    for (let step = 0; step < 20; step += 1) {
      const { kind } = await advanceItem(advancing, this.key);
      if (kind === 'settled' || kind === end) return;
      if (kind === 'go-live') await this.goLive();
      else if (kind === 'prepare-listing')
        await prepareListing(this.#dependencies(), { accountId: this.account, itemId: this.id, publication: 1 });
      else throw new Error(`${kind} is not expected`);
    }
    throw new Error('no end after 20 steps');
  }

  #dependencies(sellers: Partial<SellerAccess> = {}): ListingDependencies {
    return {
      items: this.items,
      imageStore: {} as ListingDependencies['imageStore'],
      marketplace: this.marketplace,
      ensureCalls: this.marketplace.ensureCalls,
      logger: createLogger('test', 'silent'),
      drafts: { last: null },
      sellers: { ...this.sellers, ...sellers },
      fallbackCategoryId: 1,
      defaultsOf: () => Promise.resolve({}),
      pause: () => Promise.resolve(),
      now,
    };
  }
}

/** Connected as 4711, with a draft that is about to go live. */
async function aStageWithDraft(): Promise<Stage> {
  const stage = new Stage();
  await stage.connect('4711');
  await stage.items.insert(anItem({ id: stage.id, accountId: stage.account }));
  await stage.work('go-live');
  return stage;
}

/** Holds whoever connects between the check of the present connection and its replacement, the first time. */
function heldBeforeReplacing(barrier: Barrier): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) return;
    isFirst = false;
    await barrier.pass();
  };
}

async function isUpAs(t: ExecutionContext, stage: Stage, user: string): Promise<void> {
  t.deepEqual(stage.marketplace.committedBy, [user]);
  t.is((await stage.listing())?.state, 'live');
  t.is(await stage.connectedUser(), user);
  t.not((await findMarketplaceConnection(store(), stage.account))?.liveMark, 0);
}

const conflict = { instanceOf: Refusal, message: /another|same user/i };

test('another user connected after the seller was looked up: nothing goes out as the first, the item goes live as the second', async (t) => {
  const stage = await aStageWithDraft();
  await stage.goLive({
    find: async (account) => {
      const found = await stage.sellers.find(account);
      await stage.connect('4712');
      return found;
    },
  });
  t.deepEqual(stage.marketplace.committedBy, []);
  t.like(await stage.listing(), { state: 'prepared', mayBeCommitted: false });
  t.is((await stage.items.findById(stage.key))?.processing.waitingFor, null);
  await stage.work();
  await isUpAs(t, stage, '4712');
});

test('another user connected between draft and commit: the draft of the first is left behind', async (t) => {
  const stage = await aStageWithDraft();
  await stage.connect('4712');
  await stage.work();
  await isUpAs(t, stage, '4712');
  t.is(stage.marketplace.auctions.length, 2);
});

test('once the commit is noted nobody connects as another user: the auction goes up as the first', async (t) => {
  const stage = await aStageWithDraft();
  await stage.goLive({
    watch: async (seller) => {
      await t.throwsAsync(stage.connect('4712'), conflict);
      return stage.sellers.watch(seller);
    },
  });
  await isUpAs(t, stage, '4711');
});

test('an auction that goes up between the check and the replacement of the seller is seen by the check after all', async (t) => {
  const stage = await aStageWithDraft();
  const barrier = new Barrier();
  const connecting = stage.connect('4712', heldBeforeReplacing(barrier));
  await barrier.reached;
  await stage.goLive();
  barrier.open();
  await t.throwsAsync(connecting, conflict);
  await isUpAs(t, stage, '4711');
});

test('a seller replaced just before the commit is noted has nothing put up', async (t) => {
  const stage = await aStageWithDraft();
  const barrier = new Barrier();
  const connecting = stage.connect('4712', heldBeforeReplacing(barrier));
  await barrier.reached;
  await stage.goLive({
    find: async (account) => {
      const found = await stage.sellers.find(account);
      barrier.open();
      await connecting;
      return found;
    },
  });
  t.deepEqual(stage.marketplace.committedBy, []);
  await stage.work();
  await isUpAs(t, stage, '4712');
});

test('the connection is gone when the commit is noted: nothing goes out, the item says what it waits for', async (t) => {
  const stage = await aStageWithDraft();
  await stage.goLive({
    watch: async (seller) => {
      await removeMarketplaceConnection(store(), stage.account, { now: now() });
      return stage.sellers.watch(seller);
    },
  });
  t.deepEqual(stage.marketplace.committedBy, []);
  t.is((await stage.listing())?.state, 'prepared');
  t.is((await stage.items.findById(stage.key))?.processing.waitingFor, 'marketplace_connection');
});

test('of two users connected at once the slower one is refused when an auction of the faster one is up by then', async (t) => {
  const stage = new Stage();
  await stage.connect('4711');
  const barrier = new Barrier();
  const slower = stage.connect('4713', heldBeforeReplacing(barrier));
  await barrier.reached;
  await stage.connect('4712');
  await stage.items.insert(aLiveItem({ id: stage.id, accountId: stage.account }));
  barrier.open();
  await t.throwsAsync(slower, conflict);
  t.is(await stage.connectedUser(), '4712');
});

test('users connected at once, the first time too: one of them is, with its own token, and each is in the log', async (t) => {
  const stage = new Stage();
  for (const _ of ['first', 'again']) {
    const users = ['1', '2', '3', '4', '5'];
    await Promise.all(users.map((user) => stage.connect(user)));
    const user = (await stage.connectedUser()) ?? '';
    t.true(users.includes(user));
    const lookup = await stage.sellers.find(stage.account);
    t.is(lookup.kind === 'connected' && lookup.seller.token.reveal(), `token of ${user}`);
  }
  const entries = await store().connection.collection('audit').find({ accountId: stage.account }).toArray();
  const kinds = entries.map(({ kind }) => String(kind)).sort();
  t.deepEqual(kinds, ['marketplace_connected', ...Array.from({ length: 9 }, () => 'marketplace_reconnected')]);
});

test('a call with the former token that is refused late does not mark the new one as expired', async (t) => {
  const stage = new Stage();
  await stage.connect('4711');
  const before = await stage.sellers.find(stage.account);
  await stage.connect('4711');
  if (before.kind !== 'connected') throw new Error('not connected');
  await before.markExpired();
  t.like(await findMarketplaceConnection(store(), stage.account), { state: 'connected', resumeOwed: true });
  const present = await stage.sellers.find(stage.account);
  if (present.kind !== 'connected') throw new Error('not connected');
  await present.markExpired();
  t.is((await stage.sellers.find(stage.account)).kind, 'expired');
});
