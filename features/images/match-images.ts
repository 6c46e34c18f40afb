import type { AccountId } from '../rules/ids.ts';
import type { ImageSize } from '../../gateways/image-process/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Item } from '../items/rules/item.ts';
import { acceptWrite, inBulk } from '../items/rules/owed-work.ts';
import { createItemStore, listItemsWithImages } from '../items/store/items.ts';
import { rewriteItem } from '../items/write-item.ts';
import { readImageKey } from './hosted-image.ts';
import { forgetHostedImage, hostedHashes } from './rules/image-set.ts';
import { createImageRecordStore } from './store/image-records.ts';

interface MatchDependencies {
  readonly store: StoreConnection;
  readonly imageStore: ImageStore;
  readonly now: () => Date;
}

export interface MatchedImages {
  /** Images of items whose files are gone: they are fetched again from their addresses. */
  readonly gone: number;
  /** Images that no record named: the collector deletes them a day later, unless an item names them until then. */
  readonly unnamed: number;
}

/** After a restore files and rows are of different moments. The hashes of one account are in memory, 0.1 GB for a million. */
export async function matchImages(
  dependencies: MatchDependencies,
  accounts: AsyncIterable<AccountId>,
): Promise<MatchedImages> {
  const found = { gone: 0, unnamed: 0 };
  for await (const account of accounts) {
    const files = await findFiles(dependencies, account);
    found.unnamed += await nameUnknown(dependencies, account, [...files.keys()]);
    found.gone += await fetchGone(dependencies, account, files);
  }
  return found;
}

/** Whether the store lacks more than half of the images that items show. Then it is rather another store than one that lost files. */
export async function isWrongStore(
  dependencies: MatchDependencies,
  accounts: AsyncIterable<AccountId>,
): Promise<boolean> {
  const found = { shown: 0, gone: 0 };
  for await (const account of accounts) {
    const files = await findFiles(dependencies, account);
    for await (const item of listItemsWithImages(dependencies.store, account)) {
      found.shown += hostedHashes(item).length;
      found.gone += goneFrom(files, item).length;
    }
  }
  return found.gone * 2 > found.shown;
}

/** The sizes by content hash: a bit for each. While images move to another store, both may have a file. */
type Files = ReadonlyMap<string, number>;
const bitOf: Readonly<Record<ImageSize, number>> = { large: 1, thumb: 2 };
const allSizes = bitOf.large | bitOf.thumb;

async function findFiles({ imageStore }: Pick<MatchDependencies, 'imageStore'>, account: AccountId): Promise<Files> {
  const files = new Map<string, number>();
  for await (const key of imageStore.list(account)) {
    const image = readImageKey(key);
    if (image === null) continue;
    const { contentHash, size } = image;
    files.set(contentHash, (files.get(contentHash) ?? 0) | bitOf[size]);
  }
  return files;
}

const goneFrom = (files: Files, item: Parameters<typeof hostedHashes>[0]): readonly string[] =>
  hostedHashes(item).filter((hash) => files.get(hash) !== allSizes);

const namedAtOnce = 1_000;

async function nameUnknown(
  { store, now }: MatchDependencies,
  account: AccountId,
  hashes: readonly string[],
): Promise<number> {
  const records = createImageRecordStore(store);
  let named = 0;
  for (let from = 0; from < hashes.length; from += namedAtOnce) {
    const unknown = await records.findUnknown(account, hashes.slice(from, from + namedAtOnce));
    const images = unknown.map((contentHash) => ({ contentHash }));
    if (images.length > 0) await records.name(account, images, now());
    named += images.length;
  }
  return named;
}

async function fetchGone({ store, now }: MatchDependencies, account: AccountId, files: Files): Promise<number> {
  const items = createItemStore(store);
  let gone = 0;
  for await (const item of listItemsWithImages(store, account)) {
    const hashes = goneFrom(files, item);
    if (hashes.length > 0) await rewriteItem(items, item, (current) => fetchedAgain(current, hashes, now()));
    gone += hashes.length;
  }
  return gone;
}

/** As bulk work, because all images may be gone. */
const fetchedAgain = (item: Item, hashes: readonly string[], now: Date): Item =>
  inBulk(acceptWrite(hashes.reduce(forgetHostedImage, item), now));
