import type { MarketplaceWatch } from './store/marketplace-watch.ts';
import type { Context } from '../context.ts';

/** So long before its end the account is told that its token ends. */
export const warnedAheadMs = 14 * 86_400_000;
const rowsPerRound = 100;

/**
 * Ends connections whose token has ended by the marketplace's own word, before a call fails on it, and warns of ends that are near.
 * Returns whether more may be left.
 */
export async function watchTokens({
  watch,
  now,
}: { readonly watch: MarketplaceWatch } & Pick<Context, 'now'>): Promise<boolean> {
  const at = now();
  const until = new Date(at.getTime() + warnedAheadMs);
  const rows = await watch.listEndingTokens({ now: at, until }, rowsPerRound);
  for (const row of rows) {
    if (row.tokenExpiresAt <= at) await watch.markExpired(row._id, row.tokenEncrypted, at);
    else await watch.warnOfEnd(row, at);
  }
  return rows.length === rowsPerRound;
}
