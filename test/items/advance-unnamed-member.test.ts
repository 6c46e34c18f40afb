import test from 'ava';
import type { ItemStore } from '../../features/items/store/items.ts';
import { advanceItem } from '../../features/items/advance-item.ts';
import { anItem, noon } from '../support/an-item.ts';

test('an item that came to rest in trouble is told of, also when nobody can say how its reseller calls the account', async (t) => {
  const processing = { ...anItem().processing, stage: 'given_up' as const, lastError: 'LISTING_REFUSED' };
  const item = anItem({ processing, revision: 1, settledRevision: 1, outbox: [], journal: [] });
  const items = { findById: () => Promise.resolve(item) } as unknown as ItemStore;
  const memberOf = (): Promise<never> => Promise.reject(new Error('the database is busy'));
  const advance = await advanceItem({ items, memberOf, now: () => noon }, item);
  t.deepEqual(advance, {
    kind: 'settled',
    blocked: { reason: 'given_up', lastError: 'LISTING_REFUSED', member: null },
  });
});
