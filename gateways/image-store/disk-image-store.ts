import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  open,
  opendir,
  readFile,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { failingAsStore, inStore, isStored, requireImageKey } from './in-store.ts';
import { ImageNotStored, isImageKey, type ImageFacts, type ListedImageStore } from './port.ts';

/** Folder for temporary files, on the same file system. No key can reach it, because it starts with a dot. */
const incomingFolder = '.incoming';

/**
 * Stores images as files under `directory`, with the key as path. A file appears under its key only when all its bytes are on the
 * disk (written elsewhere, flushed, renamed). So a crash leaves a whole image or none, and no reader sees a part of one. Several
 * processes may share the directory.
 */
export function createDiskImageStore(directory: string): ListedImageStore {
  const root = resolve(directory);
  /** Runs `work` on the file of a key. Throws {@link ImageNotStored}. */
  const withFile = <T>(key: string, work: (path: string) => Promise<T>): Promise<T> =>
    inStore(async () => {
      if (!isImageKey(key)) throw new ImageNotStored(key);
      return work(join(root, key)).catch((error: unknown) => {
        throw isMissing(error) ? new ImageNotStored(key) : error;
      });
    });
  const statOf = (key: string): Promise<ImageFacts> => withFile(key, async (path) => factsOf(await stat(path)));
  return {
    put: async (key, bytes) => {
      requireImageKey(key);
      await inStore(() => writeWhole(join(root, key), bytes, join(root, incomingFolder, randomUUID())));
    },
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
    list: () => keysUnder(root),
  };
}

/** Every write makes a new file, so the time of change distinguishes versions. */
const factsOf = ({ size, mtime, mtimeMs }: Stats): ImageFacts => ({
  bytes: size,
  tag: `${size.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}`,
  storedAt: mtime,
});

/** Folders are read piece by piece, because one account may have millions of images. */
async function* keysUnder(root: string, folder = root): AsyncGenerator<string> {
  const entries = await inStore(() => opendir(folder).catch(unlessMissing));
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    const key = relative(root, path).replaceAll(sep, '/');
    if (!isImageKey(key)) continue;
    if (entry.isDirectory()) yield* keysUnder(root, path);
    else if (entry.isFile()) yield key;
  }
}

async function writeWhole(path: string, bytes: Buffer, temporary: string): Promise<void> {
  try {
    await writeFlushed(temporary, bytes);
    await moveInto(path, temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
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

async function writeFlushed(path: string, bytes: Buffer): Promise<void> {
  const file = await withFolder(path, () => open(path, 'wx', 0o644));
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The folder is flushed too; otherwise a power failure could lose the name. */
async function moveInto(path: string, temporary: string): Promise<void> {
  await withFolder(path, () => rename(temporary, path));
  const folder = await open(dirname(path), 'r').catch(unlessMissing);
  if (folder === undefined) return; // the image and its folder were removed meanwhile
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Runs `action` and, when its folder is missing (first use, or just removed as empty), makes it and tries again. */
async function withFolder<T>(path: string, action: () => Promise<T>): Promise<T> {
  const triesMax = 5;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (!isMissing(error) || attempt === triesMax) throw error;
      await mkdir(dirname(path), { recursive: true });
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
