import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { imageSizes, UnusableImage, type ImageCodec } from './port.ts';

const pixelsMax = 50_000_000;
const jpegQuality = 82;
const processingSecondsMax = 30;
const white = '#ffffff';

/** What is let near the decoder, by content, and what the decoder must call it. */
const formatOfType: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'heif'],
  ['image/heic', 'heif'],
  ['image/heic-sequence', 'heif'],
  ['image/heif', 'heif'],
  ['image/heif-sequence', 'heif'],
]);
/** May be AVIF inside, which decodes; HEVC inside needs a libvips of one's own, because the prebuilt one has no decoder for it. */
const isHeicFamily = (mime: string): boolean => mime.startsWith('image/hei');

// The one place for the process-wide settings. One thread an image: images run side by side already.
// No cache: the same image is never decoded twice, and the cache only holds memory.
sharp.concurrency(1);
sharp.cache(false);
// libvips sniffs the bytes again and reads more formats (SVG, PDF, TIFF), which cost seconds or gigabytes: only five decoders stay.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

/**
 * Encodes with sharp: upright, alpha on white, sRGB, no metadata, baseline JPEG of quality 82, never enlarged; of an animation the first picture.
 * The source is decoded once; the thumb is made from the large JPEG, of which the decoder reads only a fraction (4 % on top of the large one).
 * Neither mozjpeg (4 times the CPU) nor progressive (a third more) is worth a few percent of size.
 */
export function createSharpImageCodec(): ImageCodec {
  return {
    async encode(bytes) {
      const mime = await acceptedTypeOf(bytes);
      try {
        const { format } = await sharp(bytes).metadata();
        if (format !== formatOfType.get(mime)) throw new Error(`${mime} was decoded as ${format}`);
        const large = await toJpeg(upright(bytes), imageSizes.large).toBuffer({ resolveWithObject: true });
        const thumb = await toJpeg(sharp(large.data), imageSizes.thumb).toBuffer();
        return { large: large.data, thumb, widthPx: large.info.width, heightPx: large.info.height };
      } catch (error) {
        throw new UnusableImage(reasonOf(error, mime), error);
      }
    },
  };
}

async function acceptedTypeOf(bytes: Buffer): Promise<string> {
  const mime = (await sniff(bytes)) ?? 'unknown';
  if (!formatOfType.has(mime)) throw new UnusableImage('not a JPEG, PNG, GIF, WebP or AVIF image');
  return mime;
}

async function sniff(bytes: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    return undefined; // a file that breaks the sniffer is no image of ours
  }
}

function upright(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: processingSecondsMax })
    .autoOrient()
    .flatten({ background: white });
}

function toJpeg(image: Sharp, longestSidePx: number): Sharp {
  return image
    .resize({ width: longestSidePx, height: longestSidePx, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: jpegQuality });
}

/** libvips' own messages name functions and files: only these few cases are told apart. */
function reasonOf(error: unknown, mime: string): string {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(message)) return `image has more than ${pixelsMax / 1_000_000} million pixels`;
  if (/timeout/i.test(message)) return `image takes more than ${processingSecondsMax} seconds to decode`;
  if (isHeicFamily(mime)) return 'HEIC image cannot be decoded here: send JPEG, PNG, WebP or AVIF';
  return 'image is damaged or cannot be decoded';
}
