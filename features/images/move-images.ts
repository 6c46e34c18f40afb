import { ImageNotStored, type ImageStore } from '../../gateways/image-store/port.ts';
import type { ImageRecordStore } from './store/image-records.ts';
import { readImageKey } from './hosted-image.ts';

export interface MoveDependencies {
  readonly imageRecords: Pick<ImageRecordStore, 'name'>;
  readonly from: ImageStore;
  readonly to: ImageStore;
  readonly now: () => Date;
}

export interface MoveOptions {
  /** Deletes each file once the other store has it. */
  readonly deletes: boolean;
  /** When it is aborted, images in progress are finished and no other is begun. */
  readonly signal: AbortSignal;
  /** Called after each image. */
  readonly onImage: (counts: MoveCounts) => void;
}

/** Progress of a move. */
class Tally {
  /** Images whose files are all in the other store. */
  moved = 0;
  copiedFiles = 0;
  copiedBytes = 0;
  /** Files that the other store had already. */
  knownFiles = 0;
  /** Images that a collector is deleting; they are skipped. */
  beingDeleted = 0;
  /** Files that are no images of the service; they are skipped. */
  foreignFiles = 0;
}
export type MoveCounts = Readonly<Tally>;

const imagesAtOnce = 16;

/**
 * Copies every image to another store. The running service must already write to that store and read both. Each image
 * is named first, so that no collector deletes it meanwhile (protocol 9); a copy made during a deletion would stay
 * for ever. It may be stopped and repeated, because existing copies are skipped. Throws ImageStoreUnavailable.
 */
export async function moveImages(dependencies: MoveDependencies, options: MoveOptions): Promise<MoveCounts> {
  const counts = new Tally();
  let isBroken = false;
  const images = keysByImage(dependencies.from.list());
  const moveOnes = async (): Promise<void> => {
    while (!options.signal.aborted && !isBroken) {
      const next = await images.next();
      if (next.done === true) return;
      await moveImage(dependencies, next.value, { ...options, counts });
      options.onImage(counts);
    }
  };
  const work = Array.from({ length: imagesAtOnce }, () =>
    moveOnes().catch((error: unknown) => {
      isBroken = true;
      throw error;
    }),
  );
  // Waits for all, so that nothing is copied after a failure was reported.
  const failed = (await Promise.allSettled(work)).find((end) => end.status === 'rejected');
  await images.return(undefined); // Closes the folder that is being listed.
  if (failed !== undefined) throw failed.reason;
  return counts;
}

/** The number of images in a store, other files included, for a progress display. */
export async function countImages(store: ImageStore): Promise<number> {
  let count = 0;
  for await (const _keys of keysByImage(store.list())) count += 1;
  return count;
}

/** Groups the keys by image. A store lists the keys of one folder one after the other. */
async function* keysByImage(keys: AsyncIterable<string>): AsyncGenerator<readonly string[], undefined, undefined> {
  let group: string[] = [];
  for await (const key of keys) {
    const [first] = group;
    if (first !== undefined && folderOf(first) !== folderOf(key)) {
      yield group;
      group = [];
    }
    group.push(key);
  }
  if (group.length > 0) yield group;
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

async function moveImage(
  { imageRecords, from, to, now }: MoveDependencies,
  found: readonly string[],
  { deletes, counts }: Pick<MoveOptions, 'deletes'> & { readonly counts: Tally },
): Promise<void> {
  const keys = found.filter((key) => readImageKey(key) !== null);
  counts.foreignFiles += found.length - keys.length;
  const image = readImageKey(keys[0] ?? '');
  if (image === null) return;
  const { accountId, contentHash } = image;
  const lost = await imageRecords.name(accountId, [{ contentHash }], now());
  if (lost.has(contentHash)) {
    counts.beingDeleted += 1;
    return;
  }
  for (const key of keys) {
    await copy(key, { from, to, counts });
    if (deletes) await from.remove(key);
  }
  counts.moved += 1;
}

async function copy(
  key: string,
  { from, to, counts }: { from: ImageStore; to: ImageStore; counts: Tally },
): Promise<void> {
  if (await to.has(key)) {
    counts.knownFiles += 1;
    return;
  }
  try {
    const bytes = await from.read(key);
    await to.put(key, bytes);
    counts.copiedFiles += 1;
    counts.copiedBytes += bytes.length;
  } catch (error) {
    // It was deleted between the listing and the naming.
    if (!(error instanceof ImageNotStored)) throw error;
  }
}
