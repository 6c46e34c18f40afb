import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { AccountId } from '../rules/ids.ts';
import { insertChunk, type LeftOutItem } from './store/bulk-chunks.ts';
import { findLeftOut, type SnapshotItem } from './store/snapshot-external-ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { UploadWriter } from './upload-writer.ts';

export interface Snapshot {
  readonly accountId: AccountId;
  readonly uploadId: string;
  /** Start of the upload, in database time: items written since are not removed. */
  readonly startedAt: Date;
}

/** Counts the items of the account, and the items that the snapshot would take down. */
export async function countLeftOut(
  store: StoreConnection,
  snapshot: Snapshot,
): Promise<{ readonly items: number; readonly removed: number }> {
  let items = 0;
  let removed = 0;
  for await (const { seen, leftOut } of findLeftOut(store, snapshot)) {
    items += seen;
    removed += leftOut.filter(isOlder(snapshot)).length;
  }
  return { items, removed };
}

const isOlder =
  ({ startedAt }: Snapshot) =>
  ({ acceptedAt }: SnapshotItem): boolean =>
    acceptedAt === null || acceptedAt < startedAt;

/** Throws {@link Refusal} CONFLICT when more than half of the items would be removed without a confirmation. */
export async function refuseTooMany(
  store: StoreConnection,
  { isConfirmed, ...snapshot }: Snapshot & { readonly isConfirmed: boolean },
): Promise<{ readonly removed: number }> {
  const { items, removed } = await countLeftOut(store, snapshot);
  if (isConfirmed || 2 * removed <= items) return { removed };
  const message = `The snapshot would take down ${removed} of the account's ${items} items; send it with confirm=true if that is meant`;
  // The field distinguishes this conflict from those that pass by themselves.
  const details = [problem('confirm', 'unconfirmed')];
  throw new Refusal('CONFLICT', message, { details });
}

const chunkItemsMax = 200;

/** Stores chunks with the items that the snapshot leaves out, numbered after the chunks of its lines. */
export async function storeRemovals(
  { store, now, writer }: { store: StoreConnection; now: () => Date; writer: Pick<UploadWriter, 'nextNumber'> },
  snapshot: Snapshot,
): Promise<void> {
  const { accountId, uploadId } = snapshot;
  let held: LeftOutItem[] = [];
  let line = 0;
  const flush = async (): Promise<void> => {
    const number = writer.nextNumber(accountId);
    const content = { kind: 'removals', removals: held } as const;
    await insertChunk(store, { uploadId, accountId, number }, { content, now: now() });
    held = [];
  };
  for await (const { leftOut } of findLeftOut(store, snapshot)) {
    for (const { itemId, externalId } of leftOut.filter(isOlder(snapshot))) {
      line += 1;
      held.push({ line, itemId, externalId });
      if (held.length >= chunkItemsMax) await flush();
    }
  }
  if (held.length > 0) await flush();
}
