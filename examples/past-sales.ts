// `npm start` runs it once, before the example webhooks are there: sales of the last months, so that a newcomer sees the overview as it
// is after half a year. Every sale goes through the service's own use cases, as one of the dashboard does; only their clock is set back.
import { pino } from 'pino';
import { composeContext } from '../compose/context.ts';
import { loadConfig } from '../compose/config.ts';
import { openFoundation } from '../compose/foundation.ts';
import { accountId, orderId } from '../features/rules/ids.ts';
import type { Scope } from '../features/rules/scope.ts';
import { readItemRequest } from '../schemas/items/read-item-request.ts';
import { readNewOrder } from '../schemas/orders/order-requests.ts';
import type { Context } from '../features/context.ts';
import { upsertItem } from '../features/items/upsert-item.ts';
import { changeOrder } from '../features/orders/change-order.ts';
import { recordDirectSale } from '../features/orders/record-direct-sale.ts';

interface Goods {
  readonly title: string;
  readonly price: number;
  readonly domain: string;
}

const goods: readonly Goods[] = [
  { title: 'Kylare Volvo V70 2008', price: 1_150, domain: 'auto_parts' },
  { title: 'Strålkastare höger Saab 9-3', price: 890, domain: 'auto_parts' },
  { title: 'Startmotor Volkswagen Golf', price: 750, domain: 'auto_parts' },
  { title: 'Vintersäng med rottinggavel', price: 1_900, domain: 'home_garden' },
  { title: 'Stringhylla, teak, tre plan', price: 2_450, domain: 'home_garden' },
  { title: 'Hörlurar Sony WH-1000XM4', price: 1_300, domain: 'electronics' },
  { title: 'Kamera Canon EOS 250D', price: 3_400, domain: 'electronics' },
  { title: 'Armbandsur Certina DS-1', price: 2_800, domain: 'watches' },
  { title: 'Ullkappa, storlek 40', price: 640, domain: 'fashion' },
  { title: 'Vinterkängor, storlek 38', price: 480, domain: 'fashion' },
  { title: 'Skruvdragare Makita 18 V', price: 990, domain: 'tools' },
  { title: 'Skridskor, storlek 42', price: 350, domain: 'sports' },
];

/** Sales in each month, the oldest first: a shop that grows. */
const salesByMonth = [3, 4, 4, 6, 5, 7, 8];
const dayMs = 24 * 3_600_000;
/** What each account sells of that; the reseller comes first. */
const shares = [1, 0.5, 0.5, 0.4];

interface Sale extends Goods {
  readonly externalId: string;
  readonly at: Date;
}

/** The middle of the month so many months ago, spread over its days. */
function momentOf(monthsAgo: number, place: number, now: Date): Date {
  const start = new Date(now.getFullYear(), now.getMonth() - monthsAgo, 2 + ((place * 5) % 24), 9 + (place % 8));
  return new Date(Math.min(start.getTime(), now.getTime() - (place + 2) * 3_600_000));
}

function salesOf(share: number, now: Date): Sale[] {
  const months = salesByMonth.map((count) => Math.max(1, Math.round(count * share)));
  return months.flatMap((count, month) =>
    Array.from({ length: count }, (_, place) => {
      const number = month * 10 + place;
      const what = goods[(month * 3 + place * 5) % goods.length] ?? { title: 'Lampa', price: 300, domain: 'other' };
      const price = Math.round(what.price * (1 + 0.04 * (month % 4)));
      return {
        ...what,
        price,
        externalId: `TIDIGARE-${1_000 + number}`,
        at: momentOf(months.length - 1 - month, place, now),
      };
    }),
  );
}

async function sell(
  context: Context,
  clock: { at: Date },
  { account, sale }: { account: string; sale: Sale },
): Promise<void> {
  const id = accountId(account);
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'system' } };
  const { externalId, title, price, domain, at } = sale;
  clock.at = at;
  const request = readItemRequest({ title, price, imageUrls: [], domain: { domain } });
  await upsertItem(context, scope, { externalId, request });
  const wish = readNewOrder({ externalId, platform: 'service_card', amount: price, status: 'paid' });
  const order = await recordDirectSale(context, scope, wish);
  clock.at = new Date(Math.min(at.getTime() + dayMs, Date.now()));
  await changeOrder(context, scope, { orderId: orderId(order.id), status: 'completed' });
}

const logger = pino({ level: 'silent' });
const foundation = await openFoundation({ config: loadConfig(), logger });
const now = new Date();
await Promise.all(
  process.argv.slice(2).map(async (account, place) => {
    const clock = { at: now };
    const { context, close } = composeContext({ ...foundation, now: () => clock.at });
    for (const sale of salesOf(shares[place] ?? 0.4, now)) await sell(context, clock, { account, sale });
    await close();
  }),
);
await foundation.store.close();
