import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, open, opendir, readFile, readdir, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isMissing, unlessMissing, writeWholeFile } from '../../platform/write-whole-file.ts';
import { failingAsStore, inStore, isStored, requireImageKey } from './in-store.ts';
import { ImageNotStored, isImageKey, type ImageFacts, type ImageStore } from './port.ts';

/** Folder for temporary files, on the same file system. No key can reach it, because it starts with a dot. */
const incomingFolder = '.incoming';

/** Stores images as whole files under `directory`, with the key as path. Several processes may share the directory. */
export function createDiskImageStore(directory: string): ImageStore {
  const root = resolve(directory);
  /** Runs `work` on the file of a key. Throws {@link ImageNotStored}. */
  const withFile = <T>(key: string, work: (path: string) => Promise<T>): Promise<T> =>
    inStore(async () => {
      if (!isImageKey(key)) throw new ImageNotStored(key);
      return work(join(root, key)).catch((error: unknown) => {
        throw isMissing(error) ? new ImageNotStored(key) : error;
      });
    });
  const placeOf = (key: string) => {
    requireImageKey(key);
    return { kind: 'file', path: join(root, key), temporary: join(root, incomingFolder, randomUUID()) } as const;
  };
  const statOf = (key: string): Promise<ImageFacts> => withFile(key, async (path) => factsOf(await stat(path)));
  return {
    put: async (key, bytes) => {
      const { path, temporary } = placeOf(key);
      await inStore(() => writeWholeFile(path, bytes, temporary));
    },
    place: async (key) => placeOf(key),
    read: (key) => withFile(key, (path) => readFile(path)),
    stat: statOf,
    open: (key, range) =>
      withFile(key, async (path) => {
        const file = await open(path, 'r');
        try {
          return { ...factsOf(await file.stat()), content: failingAsStore(file.createReadStream(range)) };
        } catch (error) {
          await file.close();
          throw error;
        }
      }),
    has: (key) => isStored(statOf(key)),
    remove: async (key) => {
      if (!isImageKey(key)) return;
      const path = join(root, key);
      await inStore(() => unlink(path).catch(unlessMissing));
      await rmdir(dirname(path)).catch(() => undefined); // fails unless empty; the next write creates it again
    },
    removeLeftovers: (before) => inStore(() => removeLeftovers(join(root, incomingFolder), before)),
    // Before the first image the folder does not exist.
    check: () => inStore(() => access(root, constants.R_OK).catch(unlessMissing)),
    list: (account = '') => keysUnder(root, join(root, account)),
  };
}

/** Every write makes a new file, so the time of change distinguishes versions. */
const factsOf = ({ size, mtime, mtimeMs }: Stats): ImageFacts => ({
  bytes: size,
  tag: `${size.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}`,
  storedAt: mtime,
});

/** Folders are read piece by piece, because one account may have millions of images. */
async function* keysUnder(root: string, folder: string): AsyncGenerator<string> {
  const entries = await inStore(() => opendir(folder).catch(unlessMissing));
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    const key = relative(root, path).replaceAll(sep, '/');
    if (!isImageKey(key)) continue;
    if (entry.isDirectory()) yield* keysUnder(root, path);
    else if (entry.isFile()) yield key;
  }
}

const leftoversMax = 1_000;

async function removeLeftovers(folder: string, before: Date): Promise<number> {
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  let removed = 0;
  for (const name of names.slice(0, leftoversMax)) {
    const file = await stat(join(folder, name)).catch(unlessMissing);
    if (file === undefined || file.mtime >= before) continue;
    await unlink(join(folder, name)).catch(unlessMissing);
    removed += 1;
  }
  return removed;
}
