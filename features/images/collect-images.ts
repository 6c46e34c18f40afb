import pLimit from 'p-limit';
import { groupBy } from '../rules/group-by.ts';
import type { AccountId } from '../rules/ids.ts';
import type { ImageSize } from '../../gateways/image-process/port.ts';
import { ImageNotStored, type ImageStore } from '../../gateways/image-store/port.ts';
import type { ImageClaim, ImageClaimStore } from './store/image-claims.ts';
import type { ImageRecord, ImageRecordStore } from './store/image-records.ts';
import type { ItemStore } from '../items/store/items.ts';
import { imageKey, readImageKey } from './hosted-image.ts';

export interface CollectDependencies {
  readonly items: Pick<ItemStore, 'findReferencedImages'>;
  readonly imageRecords: ImageRecordStore;
  readonly imageClaims: Pick<ImageClaimStore, 'listOpen' | 'close'>;
  readonly imageStore: ImageStore;
  readonly now: () => Date;
}

const sizes: readonly ImageSize[] = ['large', 'thumb'];
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Shorter than a day, so that a claim is void before an image that was named under it can be collected. */
const claimLastsMs = 23 * hour;
const claimsMax = 100;
const namedAtOnce = 1_000;
const recordsMax = 100;
const recordsAtOnce = 4;
/** An unfinished deletion older than this is taken over by the next round. */
const brokenOffMs = 10 * minute;
/** Latest begin of a deletion after its mark. It takes 10 s at most, and after 30 an uploader may take this collector for dead. */
const deleteWithinMs = 10_000;

/**
 * Runs one round of the collector. It voids claims that uploaders left open, deletes images that no item refers to and no uploader
 * named for 24 h, and finishes broken deletions. Each step is a compare-and-set, so any number of collectors and uploaders may run
 * (protocol 9; decisions "Images"). Returns false when there was nothing to check.
 */
export async function collectImages(dependencies: CollectDependencies): Promise<boolean> {
  const { imageClaims, imageRecords, imageStore, now } = dependencies;
  const began = now().getTime();
  const leftOpen = await imageClaims.listOpen({ openedBefore: new Date(began - claimLastsMs), limit: claimsMax });
  // Nothing is deleted in this round: an uploader that stood still since may rely on any of the account's images.
  if (leftOpen.length > 0) return voidClaims(dependencies, leftOpen);
  const records = await imageRecords.listCollectable({
    unclaimedSince: new Date(began - day),
    markedBefore: new Date(began - brokenOffMs),
    limit: recordsMax,
  });
  if (records.length === 0) {
    await imageStore.removeLeftovers(new Date(began - day));
    return false;
  }
  const isHeld = await findHeld(dependencies, records);
  const limit = pLimit(recordsAtOnce);
  const outcomes = await Promise.allSettled(
    records.map((record) => limit(() => collect(dependencies, record, isHeld(record)))),
  );
  // One image that can't be deleted does not stop the others; it is retried once its deletion counts as broken off.
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return true;
}

/** What was stored under a claim and named by no record gets a record, with which it is collected a day later unless it is named. */
async function voidClaims(dependencies: CollectDependencies, claims: readonly ImageClaim[]): Promise<true> {
  for (const [account, ofAccount] of groupBy(claims, ({ accountId }) => accountId)) {
    await nameUnknown(dependencies, account);
    for (const claim of ofAccount) await dependencies.imageClaims.close(claim);
  }
  return true;
}

async function nameUnknown({ imageRecords, imageStore, now }: CollectDependencies, account: AccountId): Promise<void> {
  const hashes = new Set<string>();
  const name = async (): Promise<void> => {
    const unknown = await imageRecords.findUnknown(account, [...hashes]);
    hashes.clear();
    if (unknown.length === 0) return;
    const images = unknown.map((contentHash) => ({ contentHash }));
    await imageRecords.name(account, images, now());
  };
  for await (const key of imageStore.list(account)) {
    const image = readImageKey(key);
    if (image !== null) hashes.add(image.contentHash);
    if (hashes.size >= namedAtOnce) await name();
  }
  await name();
}

async function collect(dependencies: CollectDependencies, record: ImageRecord, isHeld: boolean): Promise<void> {
  const { imageRecords, now } = dependencies;
  if (isHeld) {
    await imageRecords.keep(record, now());
    return;
  }
  const marked = await imageRecords.mark(record, now());
  if (marked === null) return; // An uploader has named it, or another collector works on it.
  // Checked again after uploaders can see the mark, so an item written since the first check is found.
  const isHeldNow = await findHeld(dependencies, [marked]);
  if (isHeldNow(marked)) await imageRecords.keep(marked, now());
  else await deleteMarked(dependencies, marked);
}

async function deleteMarked(
  { imageRecords, imageStore, now }: CollectDependencies,
  marked: ImageRecord,
): Promise<void> {
  const keys = sizes.map((size) => imageKey(marked.accountId, marked.contentHash, size));
  const copies = (await Promise.all(keys.map((key) => readIfStored(imageStore, key)))).flat();
  if (now().getTime() - (marked.markedAt?.getTime() ?? 0) > deleteWithinMs) return;
  await Promise.all(copies.map(({ key }) => imageStore.remove(key)));
  if (await imageRecords.remove(marked)) return;
  // This process was paused so long that another one went on with the image. The deleted files may be those of an uploader, which
  // has not named them yet, so they are restored, with a record. A deletion under way is finished by its own collector.
  const { accountId, contentHash } = marked;
  const lost = await imageRecords.name(accountId, [{ contentHash }], now());
  if (lost.has(contentHash)) return;
  await Promise.all(copies.map(({ key, bytes }) => imageStore.put(key, bytes)));
}

interface Copy {
  readonly key: string;
  readonly bytes: Buffer;
}

async function readIfStored(imageStore: ImageStore, key: string): Promise<Copy[]> {
  try {
    return [{ key, bytes: await imageStore.read(key) }];
  } catch (error) {
    if (error instanceof ImageNotStored) return [];
    throw error;
  }
}

async function findHeld(
  { items }: CollectDependencies,
  records: readonly ImageRecord[],
): Promise<(record: ImageRecord) => boolean> {
  const hashes = new Map<AccountId, string[]>();
  for (const { accountId, contentHash } of records)
    hashes.set(accountId, [...(hashes.get(accountId) ?? []), contentHash]);
  const held = new Map<AccountId, ReadonlySet<string>>();
  for (const [account, ofAccount] of hashes) held.set(account, await items.findReferencedImages(account, ofAccount));
  return ({ accountId, contentHash }) => held.get(accountId)?.has(contentHash) === true;
}
