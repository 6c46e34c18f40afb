import test from 'ava';
import { changeItemQuantity } from '../../features/items/change-quantity.ts';
import { readItemStatus } from '../../features/items/read-item.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { untilSettled } from '../support/until-settled.ts';
import { until } from '../support/until.ts';
import { callAdmin, untilReceived, withWorld, type TestAccount, type World } from '../support/world.ts';

// Several of one article: one auction after the other, and sales that meet a PATCH of the number.

let world: World;
withWorld(test, (started) => (world = started));

const admin = (path: string, body: object = {}): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);

interface Ad {
  readonly itemId: number;
  readonly state: string;
  readonly ownReferences: readonly string[];
}

/** Those that were ever committed. */
const adsOf = async (account: TestAccount): Promise<Ad[]> =>
  (await account.listings('A1')).filter(({ state }) => state !== 'uncommitted');

const untilUp = (account: TestAccount, known: readonly number[]): Promise<Ad> =>
  until('the next auction', async () =>
    (await adsOf(account)).find(({ state, itemId }) => state === 'active' && !known.includes(itemId)),
  );

const readOne = (account: TestAccount) => readItemStatus(world.context, account.scope, 'A1');

/** The number as read, changed by `by`; read again for as long as something was sold in between. */
async function addPieces(account: TestAccount, by: number): Promise<void> {
  for (;;) {
    const { status, tag } = await readOne(account);
    const precondition = { ifMatch: [tag] };
    const quantity = Math.max(0, (status.quantity ?? 0) + by);
    try {
      await changeItemQuantity(world.context, account.scope, { externalId: 'A1', quantity, precondition });
      return;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'PRECONDITION_FAILED') throw error;
    }
  }
}

async function sell({ itemId }: Ad): Promise<void> {
  await admin(`/listings/${itemId}/bids`, { amount: 500 });
  await admin(`/listings/${itemId}/end`);
}

test('three of one article are three auctions one after the other, and each sale tells what is left', async (t) => {
  const account = await world.account();
  await account.push('A1', { quantity: 3 }, { autoPublish: true });
  const known: number[] = [];
  for (let piece = 1; piece <= 3; piece += 1) {
    const ad = await untilUp(account, known);
    t.is((await adsOf(account)).filter(({ state }) => state === 'active' || state === 'waiting').length, 1);
    known.push(ad.itemId);
    await sell(ad);
  }
  const sold = await untilReceived(account, 'item.sold', 3);
  t.deepEqual(
    sold.map(({ body }) => body.data['quantityLeft']),
    [2, 1, 0],
  );
  await untilSettled(world, account, 'A1');
  t.like((await readOne(account)).status, { serviceStatus: 'sold', marketplaceStatus: 'sold', quantity: 0 });
  t.is((await adsOf(account)).length, 3);
});

test('sales that meet a PATCH of the number: never one too many, never an auction twice', async (t) => {
  t.timeout(240_000);
  const account = await world.account();
  const [begin, added] = [4, 6];
  await account.push('A1', { quantity: begin }, { autoPublish: true });
  const known: number[] = [];
  let isDone = false;
  // The shop adds a piece right when the auctions end, over and over.
  const adding = (async () => {
    for (let time = 0; time < added; time += 1) {
      const salesBefore = known.length;
      await until('the next sale', async () => known.length > salesBefore || isDone);
      await addPieces(account, 1);
    }
  })();
  for (let piece = 0; piece < begin + added; piece += 1) {
    const ad = await untilUp(account, known);
    const up = (await adsOf(account)).filter(({ state }) => state === 'active' || state === 'waiting');
    t.is(up.length, 1, 'one auction at a time');
    const sale = sell(ad);
    known.push(ad.itemId);
    await sale;
  }
  isDone = true;
  await adding;
  const sold = await untilReceived(account, 'item.sold', begin + added);
  await untilSettled(world, account, 'A1');
  t.is(sold.length, begin + added);
  t.is((await readOne(account)).status.quantity, 0);
  const ads = await adsOf(account);
  t.is(ads.length, begin + added);
  t.is(new Set(ads.map(({ ownReferences }) => ownReferences.at(-1))).size, ads.length);
});
