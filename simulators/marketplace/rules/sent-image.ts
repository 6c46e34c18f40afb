import type { Fields } from '../../kit/fields.ts';
import type { SentImage } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { badRequest } from '../wire/refusals.ts';

const imageMaxBytes = 4 * 1024 * 1024;

const formats = {
  jpg: [0xff, 0xd8, 0xff],
  gif: [0x47, 0x49, 0x46, 0x38],
  png: [0x89, 0x50, 0x4e, 0x47],
} as const;

/** By `imageFormat`, in both positions of the switch. */
const numbering = { A: ['jpg', 'gif', 'png'], B: ['gif', 'jpg', 'png'] } as const;

/**
 * Keeps the picture of an image call. Throws a 400 for more than 4 MB. That the bytes are of another format than the
 * number says shows only when the request is processed, as on the real marketplace.
 */
export function readImage({ images, switches }: World, body: Fields): SentImage {
  const bytes = Buffer.from(body.text('imageData', { max: imageMaxBytes * 2 }), 'base64');
  if (bytes.length > imageMaxBytes) throw badRequest(`imageData must not be more than ${imageMaxBytes} bytes`);
  const extension = numbering[switches.is('imageFormats', 'A') ? 'A' : 'B'][body.number('imageFormat')] ?? 'png';
  const isReadable = formats[extension].every((byte, index) => bytes[index] === byte);
  return { name: images.keep({ bytes, extension }), isReadable };
}
