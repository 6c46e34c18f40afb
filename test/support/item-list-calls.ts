import { accountId, itemId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import type { ApiWorld, Reply, TestAccount } from './api-world.ts';

const base = '/integration/v1/items';

export interface Listed {
  readonly externalId: string;
  readonly price: number;
  readonly updatedAt: string;
}

/** How tests write items and read the list of them. */
export function itemListOn(world: () => ApiWorld) {
  const put = async (account: TestAccount, externalId: string, fields: object = {}): Promise<void> => {
    const body = { title: 'Bromsskiva', price: 100, imageUrls: [], ...fields };
    const reply = await world().call('PUT', `${base}/${externalId}`, { apiKey: account.apiKey, body });
    if (reply.status !== 202) throw new Error(reply.text);
  };
  const list = (account: TestAccount, query: Record<string, string> = {}, headers = {}): Promise<Reply> =>
    world().call('GET', `${base}?${new URLSearchParams(query).toString()}`, { apiKey: account.apiKey, headers });

  /** All pages; `between` is done after each of them. */
  async function readAll(
    account: TestAccount,
    query: Record<string, string>,
    between: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Listed[]> {
    const all: Listed[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const reply = await list(account, { ...query, ...(cursor !== undefined && { cursor }) });
      all.push(...(reply.body.items as Listed[]));
      cursor = reply.body.nextCursor as string | null;
      await between();
    }
    return all;
  }

  /** Stores the item with changed progress, as its work would. */
  async function progress(account: TestAccount, externalId: string, to: Partial<Item['processing']>): Promise<void> {
    const items = createItemStore(world().store);
    const { body } = await world().call('GET', `${base}/${externalId}`, { apiKey: account.apiKey });
    const item = await items.findById({ accountId: accountId(account.id), id: itemId(String(body.serviceItemId)) });
    if (item === null) throw new Error('no item');
    await items.replace(item, { ...item, processing: { ...item.processing, ...to } });
  }

  return { base, put, list, readAll, progress };
}
