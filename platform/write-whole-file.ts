import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that appears under `path` only when all its bytes are on the disk: written under `temporary`, flushed, renamed.
 * So a crash leaves a whole file or none, and no reader sees a part of one. Missing folders are made.
 */
export async function writeWholeFile(path: string, bytes: Buffer, temporary: string): Promise<void> {
  try {
    await writeFlushed(temporary, bytes);
    await moveInto(path, temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
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
  if (folder === undefined) return; // the file and its folder were removed meanwhile
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

/** Whether a call of the file system failed because the file or its folder is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** For `catch`: throws every error but that of a missing file. */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
