import { accountId } from '../../core/ids.ts';
import { createItemStore } from '../../store/items/items.ts';
import { findDueItems } from '../../store/items/due-items.ts';
import { createOrderStore } from '../../store/orders/orders.ts';
import { advanceInPlace } from '../../usecases/items/advance-item.ts';
import type { ApiWorld } from './api-world.ts';
import { plainSettler } from './plain-settler.ts';

/** What the dispatcher does with an account's due items, where no worker runs. */
export async function settleAll({ store, now }: Pick<ApiWorld, 'store' | 'now'>, account: string): Promise<void> {
  const at = new Date(now().getTime() + 1_000);
  const settle = plainSettler(store, now);
  const advance = { items: createItemStore(store), orders: createOrderStore(store), settle, now };
  for (const by of ['worker', 'backlog'] as const) {
    const due = await findDueItems(store, { by, keys: [accountId(account)], now: at, limit: 1_000 });
    for (const { item } of due) if (item !== undefined) await advanceInPlace(advance, item);
  }
}
