import { auditBy } from '../accounts/rules/audit-entry.ts';
import type { BulkState, BulkSync, LeftOutCounts, LineReport } from './rules/bulk-sync.ts';
import { Refusal } from '../rules/errors.ts';
import type { BulkSyncId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { positionOf, readErrors } from './store/bulk-chunks.ts';
import { beginCancelling, findBulkSync, listBulkSyncs } from './store/bulk-syncs.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Context } from '../context.ts';
import type { PayForRows } from '../partner/csv-pages.ts';

type Needs = Pick<Context, 'store' | 'confirmCredential'>;

/** Throws Refusal NOT_FOUND. */
export async function readBulkSync({ store }: Needs, scope: Scope, id: BulkSyncId) {
  return describeBulkSync(await requireBulkSync(store, scope, id));
}

const listedMax = 100;

/**
 * Lists the newest bulk syncs of the credential's account, newest first. A caller that acts for a member gets only those for it.
 */
export async function listOwnBulkSyncs({ store }: Needs, scope: Scope) {
  const { accountId, actingAccountId } = scope;
  const sentFor = accountId === actingAccountId ? undefined : accountId;
  return (await listBulkSyncs(store, actingAccountId, { rowsMax: listedMax, sentFor })).map(describeBulkSync);
}

const pageRows = 500;

/**
 * Yields the refused lines so far, then the lines with warnings, page by page, each in the order of the file.
 * Throws Refusal NOT_FOUND before the first page.
 */
export async function readBulkErrors(
  context: Needs,
  scope: Scope,
  { id, payFor }: { readonly id: BulkSyncId; readonly payFor: PayForRows },
): Promise<AsyncIterable<readonly LineReport[]>> {
  const { uploadId } = await requireBulkSync(context.store, scope, id);
  return pagesOf(context, scope, { uploadId, payFor });
}

/** The credential is checked for each page, because a long list may be read slowly and the key may be revoked meanwhile. */
async function* pagesOf(
  { store, confirmCredential }: Needs,
  scope: Scope,
  { uploadId, payFor }: { readonly uploadId: string; readonly payFor: PayForRows },
): AsyncGenerator<readonly LineReport[]> {
  let after = '';
  for (;;) {
    const page = await readErrors(store, uploadId, { after, rowsMax: pageRows });
    const last = page.at(-1);
    if (last === undefined) return;
    after = positionOf(last);
    await payFor(page.length);
    await confirmCredential(scope);
    yield page;
  }
}

type CancelNeeds = Pick<Context, 'store' | 'hints' | 'confirmCredential' | 'now'>;

/**
 * Cancels a bulk sync: chunks that have not begun are not applied any more. The workflow sets `cancelled` once no chunk is under
 * way. A bulk sync that has ended or is being cancelled does not change. Throws Refusal NOT_FOUND.
 */
export async function cancelBulkSync(
  { store, hints, confirmCredential, now }: CancelNeeds,
  scope: Scope,
  id: BulkSyncId,
): Promise<{ id: string; state: BulkState }> {
  const bulk = await requireBulkSync(store, scope, id);
  if (bulk.state !== 'running') return { id, state: bulk.state };
  await confirmCredential(scope);
  const at = now();
  const audit = {
    ...auditBy(scope, {
      kind: 'bulk_sync_cancelled',
      at,
      details: { bulkSyncId: id, mode: bulk.mode, total: bulk.total },
    }),
    accountId: scope.actingAccountId,
  };
  const state = await beginCancelling(store, bulk, { audit, now: at });
  if (state === null) return { id, state: (await requireBulkSync(store, scope, id)).state };
  hints.bulkSyncSoon({ bulkId: id, accountId: bulk.actingAccountId });
  return { id, state };
}

/** How many lines leave out a field that their item has. */
export interface LeftOutField {
  readonly field: string;
  readonly lines: number;
}

/** The most frequent first. */
export const describeLeftOut = (counts: LeftOutCounts): LeftOutField[] =>
  Object.entries(counts)
    .map(([field, lines]) => ({ field, lines }))
    .toSorted((one, other) => other.lines - one.lines || one.field.localeCompare(other.field));

const describeBulkSync = (bulk: BulkSync) => ({
  id: bulk.id,
  state: bulk.state,
  stoppedBy: bulk.stoppedBy,
  mode: bulk.mode,
  total: bulk.total,
  repeated: bulk.repeated,
  created: bulk.created,
  updated: bulk.updated,
  unchanged: bulk.unchanged,
  failed: bulk.failed,
  warned: bulk.warned,
  removed: bulk.removed,
  remarks: bulk.remarks,
  leftOut: bulk.leftOut,
  leftOutFields: describeLeftOut(bulk.leftOutFields),
  createdAt: bulk.acceptedAt.toISOString(),
  completedAt: bulk.completedAt?.toISOString() ?? null,
});

/**
 * Returns a bulk sync of the credential's account, whatever member it was sent for. A session that acts for a member only sees
 * those sent for that member. Throws {@link Refusal} NOT_FOUND, also for a bulk sync of another account.
 */
async function requireBulkSync(
  store: StoreConnection,
  { accountId, actingAccountId, credential }: Scope,
  id: BulkSyncId,
): Promise<BulkSync> {
  const bulk = await findBulkSync(store, id);
  const isAbout = accountId === actingAccountId || credential.kind !== 'session' || bulk?.accountId === accountId;
  if (bulk?.actingAccountId === actingAccountId && isAbout) return bulk;
  throw new Refusal('NOT_FOUND', 'There is no bulk sync with this id');
}
