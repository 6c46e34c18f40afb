import { wantSaleNotices } from '../accounts/accounts.ts';
import type { StoreConnection } from '../database/connection.ts';
import type { Session } from '../database/transaction.ts';
import type { DueEvent } from '../events/events.ts';
import { insertNotice } from './mails.ts';

/** Tells of the sales among stored events, in their transaction. Accounts that want no such mail cost one read. */
export async function insertSaleNotices(
  store: StoreConnection,
  events: readonly DueEvent[],
  { at, session }: { readonly at: Date; readonly session: Session },
): Promise<void> {
  const sales = events.filter(({ entry }) => entry.type === 'item.sold');
  if (sales.length === 0) return;
  const wanted = await wantSaleNotices(
    store,
    sales.map(({ accountId }) => accountId),
    session,
  );
  for (const { accountId, externalId, entry } of sales) {
    if (!wanted.has(accountId)) continue;
    const notice = { what: 'sale', externalId, priceKronor: Number(entry.data['salePrice']) } as const;
    await insertNotice(store, { accountId, occurrence: entry.eventId, notice, at }, session);
  }
}
