import pLimit from 'p-limit';
import type { AccountId } from '../rules/ids.ts';
import type { ExplainedReceiver } from './rules/explain-wait.ts';
import { engineReasons, receiverReasons, textOfReason } from './rules/reasons.ts';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import type { BlockedQuery, BlockedWorkflow, QueueState } from '../../gateways/orchestrator/operations-port.ts';
import { listUnfinishedBulkSyncs } from '../bulk-syncs/store/bulk-syncs.ts';
import type { BulkSync } from '../bulk-syncs/rules/bulk-sync.ts';
import { countStuckItems, countOverdue, listStuckItems, type StuckCount, type StuckItem } from './store/stuck-rows.ts';
import { listTroubles } from '../webhooks/store/receiver-state.ts';
import { describeTrouble } from '../webhooks/look-at-receiver.ts';
import { findAccountMeant, type AccountWish, type OperationsContext } from './find-account.ts';

export interface StuckWish extends AccountWish {
  readonly reason?: string | undefined;
  /** Minimum time that an entry has been stuck. */
  readonly sinceMs: number;
  /** Rows of each list. */
  readonly limit: number;
}

export type ReceiverInTrouble = ExplainedReceiver & { readonly accountId: AccountId };

/** `away`: the engine did not answer, so no workflow makes progress. */
export type EngineReport =
  | {
      readonly kind: 'answers';
      readonly queues: readonly QueueState[];
      /** Runs whose code or whose step fails repeatedly, or that are blocked for the requested reason. */
      readonly blocked: readonly BlockedWorkflow[];
    }
  | { readonly kind: 'away'; readonly message: string };

export interface StuckReport {
  readonly at: Date;
  readonly counts: readonly (StuckCount & { readonly what: string })[];
  readonly items: readonly StuckItem[];
  /** The longest in trouble first. */
  readonly receivers: readonly ReceiverInTrouble[];
  readonly bulkSyncs: readonly Pick<BulkSync, 'id' | 'actingAccountId' | 'state' | 'total' | 'failed' | 'acceptedAt'>[];
  /** Items whose due date passed long ago. */
  readonly overdue: { readonly count: number; readonly oldest: Date | null };
  readonly engine: EngineReport;
}

/** A relay looks every two seconds, so an item this late has a cause. */
const overdueAfterMs = 15_000;

/** Reports all stuck work, and whether the parts that should do it are running. Reads only, by index. */
export async function findStuck(context: OperationsContext, wish: StuckWish): Promise<StuckReport> {
  const { store, now } = context;
  const at = now();
  const before = new Date(at.getTime() - wish.sinceMs);
  const account = await findAccountMeant(store, wish);
  const about = { before, limit: wish.limit, ...(account !== undefined && { account }) };
  const query = { ...about, ...(wish.reason !== undefined && { reasons: [wish.reason] }) };
  const [counts, receivers, bulkSyncs, overdue, engine] = await Promise.all([
    countStuckItems(store, query),
    listReceivers(context, { ...about, reason: wish.reason }),
    listUnfinishedBulkSyncs(store, about),
    countOverdue(store, new Date(at.getTime() - Math.max(wish.sinceMs, overdueAfterMs))),
    askEngine(context, { reason: wish.reason, account, limit: wish.limit }),
  ]);
  const items = await listStuckItems(store, { ...query, reasons: counts.map(({ reason }) => reason) }, wish);
  return {
    at,
    counts: counts.map((count) => ({ ...count, what: textOfReason(count.reason).what })),
    items,
    receivers,
    bulkSyncs: bulkSyncs.map(({ id, actingAccountId, state, total, failed, acceptedAt }) => ({
      id,
      actingAccountId,
      state,
      total,
      failed,
      acceptedAt,
    })),
    overdue,
    engine,
  };
}

/** So many rows are read to find those with one reason, which no row names; that its endpoint is disabled every row names. */
const troublesMax = 1_000;
const describedAtOnce = 8;

/** The receivers that are in trouble, for one reason or for all. The longest in trouble first. */
export async function listReceivers(
  context: OperationsContext,
  { reason, limit, ...about }: Parameters<typeof listTroubles>[1] & { readonly reason: string | undefined },
): Promise<ReceiverInTrouble[]> {
  if (reason !== undefined && !receiverReasons.includes(reason)) return [];
  const active = reason === undefined ? undefined : reason !== 'endpoint_disabled';
  const rows = await listTroubles(context.store, { ...about, active, limit: active === true ? troublesMax : limit });
  const atOnce = pLimit(describedAtOnce);
  const explained = await Promise.all(rows.map((row) => atOnce(() => describeTrouble(context, row))));
  const found = rows.flatMap(({ accountId }, index) => {
    const trouble = explained[index] ?? null;
    return trouble === null ? [] : [{ accountId, ...trouble }];
  });
  return found.filter((one) => reason === undefined || one.reason === reason).slice(0, limit);
}

async function askEngine({ engine }: OperationsContext, query: BlockedQuery): Promise<EngineReport> {
  const isAsked = query.reason === undefined || engineReasons.includes(query.reason);
  try {
    const [queues, blocked] = await Promise.all([engine.readQueues(), isAsked ? engine.listBlocked(query) : []]);
    return { kind: 'answers', queues, blocked };
  } catch (error) {
    if (error instanceof OrchestratorUnavailable) return { kind: 'away', message: error.message };
    throw error;
  }
}

/** A poll is answered after a minute at the latest, and the next one follows at once. */
const pollMaxMs = 75_000;

export const unservedQueues = (queues: readonly QueueState[], at: Date): readonly QueueState[] =>
  queues.filter(({ lastPolledAt }) => lastPolledAt === null || at.getTime() - lastPolledAt.getTime() > pollMaxMs);
