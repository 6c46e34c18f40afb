import type { StoreConnection } from '../../../platform/database/connection.ts';
import { owedItems } from '../../items/store/owed-items.ts';

/** What a relay starts or sends, by the row that owes it. */
export const owedKinds = [
  'items',
  'backlog',
  'deliveries',
  'waiting',
  'endpoints',
  'urls',
  'recoveries',
  'bulkSyncs',
  'mails',
] as const;
export type OwedKind = (typeof owedKinds)[number];

/** The filter of each kind, by an index that holds no other rows. `$type` repeats the condition of a partial index. */
const whereOwed = (now: Date): Readonly<Record<OwedKind, readonly [collection: string, filter: object]>> => {
  const passed = { $lte: now, $type: 'date' };
  return {
    items: ['items', owedItems(now)],
    backlog: ['items', { bulk: 'waits', startAt: { $type: 'date' } }],
    deliveries: ['deliveries', { waits: false, startAt: { $lte: now } }],
    waiting: ['deliveries', { waits: true }],
    endpoints: ['webhook_endpoints', { startAt: passed }],
    urls: ['webhook_settings', { startAt: passed }],
    recoveries: ['webhook_endpoints', { recoverAt: passed }],
    bulkSyncs: ['bulk_syncs', { startAt: passed }],
    mails: ['mails', { startAt: passed }],
  };
};

/** The kinds of which something is due by `now`, over all accounts: one query, which reads one index key of each kind. */
export async function findOwedKinds(store: StoreConnection, now: Date): Promise<ReadonlySet<OwedKind>> {
  const where = whereOwed(now);
  const parts = owedKinds.map((kind) => {
    const [coll, filter] = where[kind];
    return { coll, pipeline: [{ $match: filter }, { $limit: 1 }, { $project: { _id: 0, kind: { $literal: kind } } }] };
  });
  const [first, ...others] = parts;
  if (first === undefined) return new Set();
  const found = await store.connection
    .collection(first.coll)
    .aggregate<{ readonly kind: OwedKind }>([...first.pipeline, ...others.map((part) => ({ $unionWith: part }))])
    .toArray();
  return new Set(found.map(({ kind }) => kind));
}
