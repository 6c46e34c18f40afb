import type { Logger } from '../platform/logger.ts';
import { isStoreUnavailable, readDatabaseTime, type StoreConnection } from '../store/database/connection.ts';
import { now, type Foundation } from './foundation.ts';

/** Leases, due times and takeovers of attempts are right while clocks differ by less. */
const differenceMaxMs = 2_000;
const sayAgainMs = 300_000;
/** How often a process looks. */
export const watchClockEveryMs = 30_000;

type Watched = Pick<Foundation, 'store' | 'metrics'> & { readonly logger: Pick<Logger, 'warn' | 'info'> };

/** The round that compares this process's clock with the database's: what is said, and when, is for those who run the service. */
export function clockWatch({ store, metrics, logger }: Watched, clock: () => Date = now): () => Promise<boolean> {
  let saidAt: number | null = null;
  return async () => {
    const aheadMs = await readAhead(store, clock);
    if (aheadMs === null) return false;
    metrics.clockOffset.set({}, aheadMs / 1_000);
    const at = clock().getTime();
    if (Math.abs(aheadMs) <= differenceMaxMs) {
      if (saidAt !== null) logger.info({ aheadMs }, 'clock.agreed');
      saidAt = null;
    } else if (saidAt === null || Math.abs(at - saidAt) >= sayAgainMs) {
      logger.warn({ aheadMs }, 'clock.differed');
      saidAt = at;
    }
    return false;
  };
}

/**
 * By how much the process is ahead at least (negative: behind): the database read its clock at some moment of the round trip, however
 * long that took. null while the database is away.
 */
async function readAhead(store: StoreConnection, clock: () => Date): Promise<number | null> {
  const asked = clock().getTime();
  try {
    const time = (await readDatabaseTime(store)).getTime();
    const answered = clock().getTime();
    return Math.max(0, asked - time) + Math.min(0, answered - time);
  } catch (error) {
    if (isStoreUnavailable(error)) return null;
    throw error;
  }
}
