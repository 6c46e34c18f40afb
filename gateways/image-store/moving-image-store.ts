import { ImageNotStored, type ImageStore } from './port.ts';
import { isStored } from './in-store.ts';

/**
 * The store of a service whose images are being moved from `former` to `present`. New images go to the present store,
 * reads look in both, and a removal removes from both. A move copies before it deletes.
 */
export function createMovingImageStore({
  present,
  former,
}: {
  readonly present: ImageStore;
  readonly former: ImageStore;
}): ImageStore {
  /** Looks a third time, because the image may have been moved between the first two looks. */
  const find = async <T>(look: (store: ImageStore) => Promise<T>): Promise<T> => {
    for (const store of [present, former]) {
      try {
        return await look(store);
      } catch (error) {
        if (!(error instanceof ImageNotStored)) throw error;
      }
    }
    return look(present);
  };
  return {
    put: (key, bytes) => present.put(key, bytes),
    place: (key) => present.place(key),
    read: (key) => find((store) => store.read(key)),
    stat: (key) => find((store) => store.stat(key)),
    open: (key, range) => find((store) => store.open(key, range)),
    has: (key) => isStored(find((store) => store.stat(key))),
    remove: async (key) => {
      await Promise.all([present.remove(key), former.remove(key)]);
    },
    removeLeftovers: async (before) => (await present.removeLeftovers(before)) + (await former.removeLeftovers(before)),
    list: async function* (account) {
      yield* present.list(account);
      yield* former.list(account);
    },
    check: async () => {
      await Promise.all([present.check(), former.check()]);
    },
  };
}
