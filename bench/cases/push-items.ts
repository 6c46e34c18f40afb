import type { ItemRow } from '../../store/items/item-row.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { putAll } from '../support/load.ts';
import type { ApiAccount } from '../../test/support/set-up-account.ts';
import type { Product } from '../support/product.ts';

const connections = 32;

/** Pushes new items over HTTP as an ERP does, and counts those whose work is done. */
export function itemPusher(product: Product, account: ApiAccount) {
  const items = product.foundation.store.connection.collection<ItemRow>('items');
  let pushed = 0;
  return {
    pushItems: async (count: number): Promise<void> => {
      const body = JSON.stringify(itemBody(startPrice));
      const pushes = Array.from({ length: count }, (_, index) => ({
        path: `/integration/v1/items/burst-${pushed + index}`,
        body,
        expected: 'Item created',
      }));
      pushed += count;
      await putAll({ origin: product.apiUrl, headers: account.headers, connections }, pushes);
    },
    countSettled: (): Promise<number> =>
      items.countDocuments({ accountId: account.id, $expr: { $eq: ['$revision', '$settledRevision'] } }),
  };
}
