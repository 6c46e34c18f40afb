import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, Refusal } from '../kit/fields.ts';

/** Stores the images of listings under the hash of their content. */
export interface ImageShelf {
  /** Returns the name under which the image can be read. */
  keep(image: SentImage): string;
  read(name: string): Buffer | undefined;
}

export interface SentImage {
  readonly bytes: Buffer;
  readonly extension: 'jpg' | 'gif' | 'png';
}

const imageMaxBytes = 4 * 1024 * 1024;
const memoryMaxBytes = 64 * 1024 * 1024;

/** By the numbers of the interface: 0, 1, 2. */
const formats = [
  { extension: 'jpg', magic: [0xff, 0xd8, 0xff] },
  { extension: 'gif', magic: [0x47, 0x49, 0x46, 0x38] },
  { extension: 'png', magic: [0x89, 0x50, 0x4e, 0x47] },
] as const;

/** The body of the image call. Throws a 400 when the bytes are not what `imageFormat` says, or more than 4 MB. */
export function parseImage(body: unknown): SentImage {
  const fields = fieldsOf(body);
  const format = formats[fields.number('imageFormat', { whole: true, max: formats.length - 1 })];
  const bytes = Buffer.from(fields.text('imageData', { min: 4, max: imageMaxBytes * 2 }), 'base64');
  if (bytes.length > imageMaxBytes)
    throw new Refusal(400, 'InvalidRequest', `imageData must not be more than ${imageMaxBytes} bytes`);
  if (format === undefined || !format.magic.every((byte, index) => bytes[index] === byte))
    throw new Refusal(400, 'InvalidRequest', 'imageData is not an image of the format that imageFormat says');
  if (fields.has('hasMega')) fields.flag('hasMega');
  return { bytes, extension: format.extension };
}

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

function nameOf({ bytes, extension }: SentImage): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
}
