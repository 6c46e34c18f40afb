import type { BulkSync } from '../../core/bulk-syncs/bulk-sync.ts';
import type { Orchestrator, StartedBulkSync } from '../../gateways/orchestrator/port.ts';
import { claimNeglectedBulks, lookAgain } from '../../store/bulk-syncs/bulk-syncs.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { hintAll, type Hints } from '../hints.ts';
import type { Context } from '../context.ts';

export interface BulkSweepDependencies {
  readonly store: StoreConnection;
  readonly orchestrator: Pick<Orchestrator, 'startBulkSync'>;
  readonly now: () => Date;
}

export const startOfBulkSync = ({ id, actingAccountId }: BulkSync): StartedBulkSync => ({
  bulkId: id,
  accountId: actingAccountId,
});

/** Sends the starts of bulk syncs outside the path of the call. */
export const bulkHints = (
  hints: Hints,
  orchestrator: Pick<Orchestrator, 'startBulkSync'>,
): Pick<Context['hints'], 'startBulkSync'> => ({
  startBulkSync: (bulk) => hints.send(`bulk:${bulk.id}`, () => orchestrator.startBulkSync(startOfBulkSync(bulk))),
});

const rowsMax = 100;
/** Interval of the retries while the engine is unavailable. */
const retryMs = 2_000;

/** Starts the workflow of every bulk sync whose start or workflow was lost. A running workflow is not changed. */
export async function sweepBulkSyncs({ store, orchestrator, now }: BulkSweepDependencies): Promise<number> {
  const neglected = await claimNeglectedBulks(store, now(), rowsMax);
  const lost = await hintAll(neglected, (bulk) => orchestrator.startBulkSync(startOfBulkSync(bulk)));
  const lostIds = lost.map(({ id }) => id);
  if (lost.length > 0) await lookAgain(store, lostIds, new Date(now().getTime() + retryMs));
  return neglected.length - lost.length;
}
