import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ImageNotStored, type ImageStore } from './port.ts';

/** Letters, digits, `.`, `_`, `-`, and no leading dot: no `..`, hidden file, absolute path or encoding is possible. */
const keyForm = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const keyLengthMax = 255;

/** Folder for temporary files, on the same file system. No key can reach it, because it starts with a dot. */
const incomingFolder = '.incoming';

/**
 * Stores images as files under `directory`, with the key as path. A file appears under its key only when all its bytes are on the
 * disk (written elsewhere, flushed, renamed). So a crash leaves a whole image or none, and no reader sees a part of one. Several
 * processes may share the directory.
 */
export function createDiskImageStore(directory: string): ImageStore {
  const root = resolve(directory);
  const pathOf = (key: string): string | undefined =>
    key.length <= keyLengthMax && keyForm.test(key) ? join(root, key) : undefined;
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      if (path === undefined) throw new Error(`not an image key: ${JSON.stringify(key.slice(0, keyLengthMax))}`);
      const temporary = join(root, incomingFolder, randomUUID());
      try {
        await writeFlushed(temporary, bytes);
        await moveInto(path, temporary);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async read(key) {
      const path = pathOf(key);
      if (path === undefined) throw new ImageNotStored(key);
      return readFile(path).catch((error: unknown) => {
        throw isMissing(error) ? new ImageNotStored(key) : error;
      });
    },
    async has(key) {
      const path = pathOf(key);
      return path !== undefined && succeeds(access(path));
    },
    async remove(key) {
      const path = pathOf(key);
      if (path === undefined) return;
      await unlink(path).catch(unlessMissing);
      await rmdir(dirname(path)).catch(() => undefined); // fails unless empty; the next write creates it again
    },
    removeLeftovers: (before) => removeLeftovers(join(root, incomingFolder), before),
  };
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

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
