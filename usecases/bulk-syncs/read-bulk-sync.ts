import type { LineReport } from '../../core/bulk-syncs/bulk-sync.ts';
import type { BulkSyncId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { positionOf, readErrors } from '../../store/bulk-syncs/bulk-chunks.ts';
import { listBulkSyncs } from '../../store/bulk-syncs/bulk-syncs.ts';
import type { Context } from '../context.ts';
import { describeBulkSync, type BulkSyncView } from './describe-bulk-sync.ts';
import { requireBulkSync } from './require-bulk-sync.ts';

type Needs = Pick<Context, 'store' | 'confirmCredential'>;

/** Throws Refusal NOT_FOUND. */
export async function readBulkSync({ store }: Needs, scope: Scope, id: BulkSyncId): Promise<BulkSyncView> {
  return describeBulkSync(await requireBulkSync(store, scope, id));
}

const listedMax = 100;

/**
 * Lists the newest bulk syncs of the credential's account, newest first. A caller that acts for a member gets only those for it.
 */
export async function listOwnBulkSyncs({ store }: Needs, scope: Scope): Promise<readonly BulkSyncView[]> {
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
  id: BulkSyncId,
): Promise<AsyncIterable<readonly LineReport[]>> {
  const { uploadId } = await requireBulkSync(context.store, scope, id);
  return pagesOf(context, scope, uploadId);
}

/** The credential is checked for each page, because a long list may be read slowly and the key may be revoked meanwhile. */
async function* pagesOf(
  { store, confirmCredential }: Needs,
  scope: Scope,
  uploadId: string,
): AsyncGenerator<readonly LineReport[]> {
  let after = '';
  for (;;) {
    const page = await readErrors(store, uploadId, { after, rowsMax: pageRows });
    const last = page.at(-1);
    if (last === undefined) return;
    after = positionOf(last);
    await confirmCredential(scope);
    yield page;
  }
}
