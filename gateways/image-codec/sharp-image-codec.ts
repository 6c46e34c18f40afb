import { Semaphore } from 'async-mutex';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { imageSizes, UnusableImage, type EncodedImage, type ImageCodec } from './port.ts';

const jpegQuality = 82;
const processingSecondsMax = 30;
const white = '#ffffff';

/**
 * What a decoder takes at most. The bytes a pixel were measured with 25 and 50 million pixels of one colour, for the worst kind
 * of each format (interlaced PNG of 16 bits, progressive JPEG, AVIF of 12 bits).
 */
const costs = {
  jpeg: { pixelsMax: 50_000_000, bytesPerPixel: 5 },
  png: { pixelsMax: 50_000_000, bytesPerPixel: 11 },
  gif: { pixelsMax: 50_000_000, bytesPerPixel: 6 },
  webp: { pixelsMax: 50_000_000, bytesPerPixel: 5 },
  // 2 KB can hold an AVIF of any size, and it is decoded whole.
  heif: { pixelsMax: 25_000_000, bytesPerPixel: 26 },
} as const;
type Format = keyof typeof costs;

/** All images that this process decodes share it. An image of the largest size takes it whole. */
const decodingMegabytesMax = 650;
/** First come, first served: a large image is not passed by small ones for ever. */
const decodingMegabytes = new Semaphore(decodingMegabytesMax);

/** What is let near the decoder, by content, and what the decoder must call it. */
const formatOfType: ReadonlyMap<string, Format> = new Map([
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
      const { mime, format } = await acceptedTypeOf(bytes);
      try {
        const megabytes = await weigh(bytes, format);
        return await decodingMegabytes.runExclusive(() => encodeSizes(bytes), megabytes);
      } catch (error) {
        throw new UnusableImage(reasonOf(error, mime, format), error);
      }
    },
  };
}

async function acceptedTypeOf(bytes: Buffer): Promise<{ mime: string; format: Format }> {
  const mime = (await sniff(bytes)) ?? 'unknown';
  const format = formatOfType.get(mime);
  if (format === undefined) throw new UnusableImage('not a JPEG, PNG, GIF, WebP or AVIF image');
  return { mime, format };
}

async function sniff(bytes: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    return undefined; // a file that breaks the sniffer is no image of ours
  }
}

/**
 * The megabytes that decoding will take, from the header alone. An AVIF whose header names a smaller size than its picture has is
 * refused by its decoder before it allocates anything. Throws when the decoder calls it another format, or it has too many pixels.
 */
async function weigh(bytes: Buffer, format: Format): Promise<number> {
  const { pixelsMax, bytesPerPixel } = costs[format];
  const found = await sharp(bytes, { limitInputPixels: pixelsMax }).metadata();
  if (found.format !== format) throw new Error(`decoded as ${found.format}`);
  const pixels = found.width * found.height;
  if (pixels > pixelsMax) throw new Error('pixel limit');
  return Math.min(decodingMegabytesMax, Math.ceil((pixels * bytesPerPixel) / 1_000_000));
}

async function encodeSizes(bytes: Buffer): Promise<EncodedImage> {
  const large = await toJpeg(upright(bytes), imageSizes.large).toBuffer({ resolveWithObject: true });
  const thumb = await toJpeg(sharp(large.data), imageSizes.thumb).toBuffer();
  return { large: large.data, thumb, widthPx: large.info.width, heightPx: large.info.height };
}

function upright(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: costs.jpeg.pixelsMax, failOn: 'error', sequentialRead: true })
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
function reasonOf(error: unknown, mime: string, format: Format): string {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(message)) return `image has more than ${costs[format].pixelsMax / 1_000_000} million pixels`;
  if (/timeout/i.test(message)) return `image takes more than ${processingSecondsMax} seconds to decode`;
  if (isHeicFamily(mime)) return 'HEIC image cannot be decoded here: send JPEG, PNG, WebP or AVIF';
  return 'image is damaged or cannot be decoded';
}
