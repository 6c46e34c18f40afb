import { Refusal } from '../rules/errors.ts';
import type { OrderId } from '../rules/ids.ts';
import { isUp, newestListing, startPriceOre, type Item, type Listing } from '../items/rules/item.ts';
import { transactionIdOf } from '../listings/rules/auction-end.ts';
import { wholeKronorFromOre } from '../rules/money.ts';
import { isInProgress } from '../orders/rules/order.ts';
import type { Scope } from '../rules/scope.ts';
import { MarketplaceError, type SandboxBuyers, type Seller } from '../../gateways/marketplace/port.ts';
import { createMarketplaceWatch } from '../listings/store/marketplace-watch.ts';
import { findOrder } from '../orders/store/orders.ts';
import type { Context } from '../context.ts';
import { requireVisible } from '../items/read-item.ts';
import { connectedSeller } from '../listings/seller-access.ts';
import { requireOrder } from '../orders/read-orders.ts';

type Needs = Pick<Context, 'store' | 'items' | 'sandbox' | 'encryption' | 'now'>;

/** How an auction ends. `bidKronor`: the last bid in whole kronor; null for the lowest bid that wins. */
export type AuctionEnd = { readonly kind: 'sell'; readonly bidKronor: number | null } | { readonly kind: 'end' };

/**
 * Ends the running auction of a sandbox item at the simulated marketplace, after a last bid or with the present bids.
 * The next look finds the result, as for an auction that ends by itself. Throws {@link Refusal} SANDBOX_ONLY,
 * NOT_FOUND, CONFLICT and UNAVAILABLE.
 */
export async function endSandboxAuction(
  context: Needs,
  scope: Scope,
  { externalId, end }: { readonly externalId: string; readonly end: AuctionEnd },
): Promise<void> {
  const { buyers, seller } = await enterSandbox(context, scope);
  const item = await requireVisible(context.items, scope, externalId);
  const listing = newestListing(item);
  if (listing === undefined || !isUp(listing) || listing.adId === null)
    throw new Refusal('CONFLICT', 'The item has no running auction');
  const { adId } = listing;
  const bid = end.kind === 'end' ? null : (end.bidKronor ?? enoughToWin(item, listing));
  await played(() => buyers.end(seller, adId, bid));
  await lookSoon(context, scope);
}

function enoughToWin(item: Item, { seen }: Listing): number {
  const start = wholeKronorFromOre(startPriceOre(item));
  return seen === null || seen.bids === 0 ? start : Math.max(start, (seen.priceKronor ?? start) + 1);
}

/** The buyer of a won auction pays. Throws as {@link endSandboxAuction}. */
export async function paySandboxOrder(context: Needs, scope: Scope, orderId: OrderId): Promise<void> {
  const { buyers, seller } = await enterSandbox(context, scope);
  const order = requireOrder(await findOrder(context.store, scope.accountId, { orderId }));
  if (order.adId === null || !isInProgress(order.state) || order.paidAt !== null)
    throw new Refusal('CONFLICT', 'Only an open order of a won auction is paid at the marketplace');
  await played(() => buyers.pay(seller, transactionIdOf(orderId)));
  await lookSoon(context, scope);
}

async function enterSandbox(
  { store, sandbox, encryption, now }: Needs,
  { accountId }: Scope,
): Promise<{ readonly buyers: SandboxBuyers; readonly seller: Seller }> {
  const watch = createMarketplaceWatch(store);
  const row = await watch.find(accountId);
  if (sandbox.kind === 'none' || (sandbox.kind === 'apart' && row?.isSandbox !== true))
    throw new Refusal('SANDBOX_ONLY', 'Only a test key may do this: what a live key sells is bought by real buyers');
  if (row?.state !== 'connected') throw new Refusal('CONFLICT', 'No marketplace account is connected');
  return { buyers: sandbox.buyers, seller: connectedSeller({ watch, encryption, now }, row).seller };
}

async function played(play: () => Promise<void>): Promise<void> {
  try {
    await play();
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.kind === 'refused') throw new Refusal('CONFLICT', `The simulated marketplace says: ${error.message}`);
    const message = 'The marketplace of the sandbox can not be reached; try again';
    throw new Refusal('UNAVAILABLE', message, { retryAfterSeconds: 30, cause: error });
  }
}

const lookSoon = ({ store, now }: Needs, { accountId }: Scope): Promise<void> =>
  createMarketplaceWatch(store).scheduleLook(accountId, now());
