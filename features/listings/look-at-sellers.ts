import { isUnseen, type MarketplaceConnectionRow } from './store/marketplace-connections.ts';
import { MarketplaceError } from '../../gateways/marketplace/port.ts';
import { lookAtAuctions } from './look-at-auctions.ts';
import { readSales, takePayments } from './look-at-sales.ts';
import type { Look, LookDependencies } from './look.ts';

/** A look that takes longer was interrupted; another reader may repeat it, because repeats are no-ops. */
const leaseMs = 60_000;
/** Upper limit for any wait that the marketplace asks for. */
const waitMaxMs = 24 * 3_600_000;
/** How far the first look goes back before the connection was made. */
const firstLookBackMs = 3_600_000;
const dayMs = 86_400_000;
/** An ended auction may still be sold, to another bidder or put up again by its seller at the marketplace: so long that is looked for. */
const quiet = { pauseMs: dayMs, lastsMs: 30 * dayMs } as const;

/** Looks at the seller that has been due longest. Returns false when none is due (protocol 8). */
export async function lookAtDueSeller(dependencies: LookDependencies): Promise<boolean> {
  const { watch, now, connect } = dependencies;
  const row = await watch.claimLook(now(), new Date(now().getTime() + leaseMs));
  if (row === null) return false;
  const spent = { calls: 0 };
  let unknown: number;
  try {
    ({ unknown } = await lookOrAsk(dependencies, row, spent));
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.kind === 'token_expired') await connect(row).markExpired();
    await schedule(dependencies, row, { ...spent, waitMs: error.retryAfterMs ?? 0 });
    return true;
  }
  if (unknown > 0 || (await isLeft(dependencies, row))) await schedule(dependencies, row, { ...spent, waitMs: 0 });
  else await lookSeldom(dependencies, row);
  return true;
}

/** Nothing is up, so a look costs one call, for sales. A seller who never had anything up is not looked at. */
async function lookSeldom({ watch, now }: LookDependencies, row: MarketplaceConnectionRow): Promise<void> {
  const quietSince = row.quietSince ?? now();
  const isOver = row.liveMark === 0 || now().getTime() >= quietSince.getTime() + quiet.lastsMs;
  if (isOver) await watch.stopLooking(row);
  else await watch.lookSeldom(row, { at: new Date(now().getTime() + quiet.pauseMs), quietSince });
}

const isLeft = async ({ items, orderWork }: LookDependencies, { _id }: MarketplaceConnectionRow): Promise<boolean> =>
  (await items.hasWatchedListings(_id)) || orderWork.isLeft(_id);

async function schedule(
  { watch, now, paceOf }: LookDependencies,
  row: MarketplaceConnectionRow,
  { calls, waitMs }: { calls: number; waitMs: number },
): Promise<void> {
  const { fullMs, hintMs } = await paceOf(row);
  const pauseMs = Math.max(waitMs, hintMs ?? fullMs(calls));
  await watch.scheduleLook(row._id, new Date(now().getTime() + Math.min(pauseMs, waitMaxMs)));
}

/** Between two looks at everything, only a hint is asked for that something changed. `unknown`: auctions that belong to no item. */
async function lookOrAsk(
  dependencies: LookDependencies,
  row: MarketplaceConnectionRow,
  spent: { calls: number },
): Promise<{ readonly unknown: number }> {
  const { watch, feeds, paceOf, now } = dependencies;
  const { seller } = dependencies.connect(row);
  const { fullMs, hintMs } = await paceOf(row);
  const startedAt = now();
  if (hintMs !== null) {
    const mark = await feeds.readChangeMark(seller, row.changeMark ?? '0');
    const isSame = mark === row.changeMark;
    if (!isSame) await watch.saveLook(row._id, { changeMark: mark });
    const isFullDue = row.lookedAt === undefined || startedAt.getTime() >= row.lookedAt.getTime() + fullMs(1);
    if (isSame && !isFullDue && !isUnseen(row)) return { unknown: row.restoredAt === undefined ? 0 : 1 };
  }
  const start = new Date(row.connectedAt.getTime() - firstLookBackMs);
  const seen = await lookAtAll({
    ...dependencies,
    account: row._id,
    seller,
    startedAt,
    requestId: dependencies.newRequestId(),
    lookedAt: row.lookedAt ?? start,
    salesReadAt: row.salesReadAt ?? start,
    isAfterRestore: row.restoredAt !== undefined,
    isUnseen: isUnseen(row),
    call: (make) => {
      spent.calls += 1;
      return make();
    },
  });
  if (seen.unknown === 0) await watch.endRestore(row);
  return seen;
}

/** Writes every observation to its item before the look counts as complete. */
async function lookAtAll(look: Look): Promise<{ readonly unknown: number }> {
  const { account, seller, orderWork, watch, startedAt } = look;
  const seen = await lookAtAuctions(look, (isNeeded) => readSales(look, isNeeded));
  await watch.saveLook(account, { lookedAt: startedAt });
  await takePayments(look, await orderWork.follow(seller, look.call));
  return seen;
}
