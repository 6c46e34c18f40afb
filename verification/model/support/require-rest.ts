import { describeStatus, type ItemStatus } from '../../../features/items/rules/describe-item.ts';
import { allImagesFailed } from '../../../features/images/rules/image-set.ts';
import type { Item } from '../../../features/items/rules/item.ts';
import { isAtRest } from '../../../features/items/rules/owed-work.ts';
import type { Auction } from './fake-marketplace.ts';
import { kronorOf } from './model-price.ts';
import { demand, type SeenEvent } from './model-terms.ts';

/** What a partner may expect of an item with which nothing is in motion. */
export interface AtRest {
  /** A publication is asked for and could be begun. */
  readonly asksFor: boolean;
  /** One was begun and could go on. */
  readonly isOpening: boolean;
  readonly isWanted: boolean;
  /** The newest publication is known to be up. */
  readonly isUp: boolean;
  readonly market: ItemStatus['marketplaceStatus'];
  readonly priceOre: number;
}

/**
 * Nothing is left to be done. Only the run of an item with a problem goes on, so that operators see it; its date brings it back if
 * it is lost. Throws {@link Mismatch}.
 */
export function requireNoWork(item: Item, nowMs: number): void {
  demand(isAtRest(item), 'settled with something to store');
  const { startAt, processing } = item;
  // The model knows no reasons; what has one shows a failure, or has no picture that works.
  const hasProblem = processing.lastError !== null || allImagesFailed(item);
  const isRight = startAt === null || (hasProblem && startAt.getTime() > nowMs);
  demand(isRight, `at rest with the date ${JSON.stringify(startAt)}`);
}

/** Whether reads name what the auction can't be given. Throws {@link Mismatch}. */
export function requirePending(item: Item, up: readonly Auction[]): void {
  const [auction] = up.filter(({ itemId }) => itemId === item.id);
  const pending = describeStatus(item).pendingChanges ?? [];
  const isExpected = auction !== undefined && auction.title !== item.content.title;
  demand(pending.includes('title') === isExpected, `pending: ${String(pending)}`);
}

/** Whether it is so on the marketplace too. Throws {@link Mismatch}. */
export function requireRest(item: AtRest, up: readonly Auction[]): void {
  const [shown] = up;
  demand(!item.asksFor || shown !== undefined, 'a publication was asked for and forgotten');
  demand(!item.isOpening, 'a publication was begun and forgotten');
  demand(item.isWanted || shown === undefined, 'an auction is up that nobody wants');
  demand(item.isUp === (shown !== undefined), `${up.length} up, known as up: ${String(item.isUp)}`);
  if (shown === undefined || item.market === 'sync_error') return;
  demand(item.market === 'active', `up, but ${item.market}`);
  demand(shown.priceKronor === kronorOf(item.priceOre), `the auction costs ${shown.priceKronor}`);
}

/** A sale of what has an order in progress says so: only the seller knows which of them counts. Throws {@link Mismatch}. */
export function requireNamed(open: readonly string[], events: readonly SeenEvent[], { journal }: Item): void {
  if (open.length === 0 || !events.some(({ type }) => type === 'item.sold')) return;
  const sold = journal.findLast(({ kind }) => kind === 'sold');
  const named = sold?.kind === 'sold' ? sold.details.otherOrderIds : [];
  demand(
    open.every((id) => named.includes(id)),
    `sold twice without a word: ${named.join(', ')}`,
  );
}
