import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stores the images of listings under the hash of their content. */
export interface ImageShelf {
  /** Returns the name under which the image can be read. */
  keep(image: StoredImage): string;
  read(name: string): Buffer | undefined;
}

export interface StoredImage {
  readonly bytes: Buffer;
  readonly extension: string;
}

const memoryMaxBytes = 64 * 1024 * 1024;

/** `folder` absent: in memory, where the oldest images are dropped when there are too many. */
export function createImageShelf(folder: string | undefined): ImageShelf {
  return folder === undefined ? memoryShelf() : folderShelf(folder);
}

function folderShelf(folder: string): ImageShelf {
  mkdirSync(folder, { recursive: true });
  return {
    keep(image) {
      const name = nameOf(image);
      if (existsSync(join(folder, name))) return name;
      // Renamed into place, so that a kill leaves no partial image under a valid name.
      writeFileSync(join(folder, `${name}.part`), image.bytes);
      renameSync(join(folder, `${name}.part`), join(folder, name));
      return name;
    },
    read(name) {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path) : undefined;
    },
  };
}

function memoryShelf(): ImageShelf {
  const images = new Map<string, Buffer>();
  let size = 0;
  return {
    keep(image) {
      const name = nameOf(image);
      if (images.has(name)) return name;
      images.set(name, image.bytes);
      size += image.bytes.length;
      for (const [oldest, bytes] of images) {
        if (size <= memoryMaxBytes) break;
        images.delete(oldest);
        size -= bytes.length;
      }
      return name;
    },
    read: (name) => images.get(name),
  };
}

function nameOf({ bytes, extension }: StoredImage): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
}
