import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, type AccountId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { waitForPreviousListing } from '../../features/listings/rules/previous-listing.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { advanceItem } from '../../features/items/advance-item.ts';
import { aLiveItem, anItem, emptied, later, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { storeAsIs } from '../support/store-as-is.ts';

const store = withDatabase(test);
const hour = 3_600_000;

/** A new item that waits for the auction of the deleted one under its external id. */
const aSuccessor = (account: AccountId, externalId: string): Item => {
  const item = emptied(waitForPreviousListing(anItem(), noon));
  const processing = { ...item.processing, notBefore: later(hour) };
  return { ...item, id: itemId(randomUUID()), accountId: account, externalId, processing, startAt: later(hour) };
};

/** A deleted item whose auction came down just now. */
const aTombstone = (account: AccountId, externalId: string): Item => ({
  ...changeNewestListing(aLiveItem(), { state: 'removed' }),
  id: itemId(randomUUID()),
  accountId: account,
  externalId,
  current: false,
  removedAt: noon,
  startAt: noon,
});

test('a deleted item that has come to rest wakes the new one under its external id, and nobody else', async (t) => {
  const items = createItemStore(store());
  const [account, other] = [accountId(randomUUID()), accountId(randomUUID())];
  const waiting = [
    aSuccessor(account, 'A1'),
    aSuccessor(other, 'A5'),
    aSuccessor(account, 'A9'),
    aSuccessor(account, 'A5'),
  ];
  const gone = aTombstone(account, 'A5');
  await storeAsIs(store(), gone, ...waiting);
  const now = () => later(1);
  const advance = { items, now };
  t.is((await advanceItem(advance, gone)).kind, 'settled');
  const stored = await Promise.all(waiting.map((item) => items.findById(item)));
  t.deepEqual(
    stored.map((item) => [item?.startAt, item?.processing.notBefore]),
    [...Array.from({ length: 3 }, () => [later(hour), later(hour)]), [later(1), later(1)]],
  );
});
