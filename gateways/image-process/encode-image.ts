import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { ImageFailure } from '../../features/images/rules/image-failure.ts';
import { imageSizes, UnusableImage } from './port.ts';
import { countScans, decodeWholeJpeg } from './whole-jpeg.ts';
import { scansMax, decoderCosts } from '../../features/images/rules/image-limits.ts';

const jpegQuality = 82;
const white = '#ffffff';

type Cost = keyof typeof decoderCosts;

type Format = Exclude<Cost, 'deepHeif' | 'interlacedPng'>;

/** The accepted content types, and the format that the decoder must report. */
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
/** May hold AVIF, which decodes. HEVC needs a self-built libvips, because the prebuilt one has no decoder for it. */
const isHeicFamily = (mime: string): boolean => mime.startsWith('image/hei');

// The only place for process-wide settings. One thread per image, because there is a process for each processor. No cache, because an
// image is never decoded twice and the cache only uses memory.
sharp.concurrency(1);
sharp.cache(false);
// libvips detects the format again and reads more formats (SVG, PDF, TIFF), which may cost seconds or gigabytes. So only five
// decoders stay enabled.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

export interface EncodedImage {
  readonly large: Buffer;
  readonly thumb: Buffer;
}

/** Decoding takes more memory than was granted. */
export interface TooHeavy {
  readonly megabytes: number;
}

/**
 * Encodes with sharp, in this process: upright, alpha on white, sRGB, no metadata, baseline JPEG of quality 82, never enlarged; of
 * an animation the first frame. The source is decoded once. The thumb is made from the large JPEG, of which the decoder reads only
 * a fraction (4 % on top of the large one). Neither mozjpeg (4 times the CPU) nor progressive (a third more) is worth a few
 * percent of size. Throws UnusableImage.
 */
export async function encodeImage(bytes: Buffer, megabytesMax: number): Promise<EncodedImage | TooHeavy> {
  const { mime, format } = await acceptedTypeOf(bytes);
  try {
    const megabytes = await weigh(bytes, format);
    if (megabytes > megabytesMax) return { megabytes };
    return format === 'jpeg' ? await decodeWholeJpeg(bytes, encodeSizes) : await encodeSizes(bytes, 'error');
  } catch (error) {
    throw error instanceof UnusableImage ? error : new UnusableImage(failureOf(error, mime, format), { cause: error });
  }
}

async function acceptedTypeOf(bytes: Buffer): Promise<{ mime: string; format: Format }> {
  const mime = (await sniff(bytes)) ?? 'unknown';
  const format = formatOfType.get(mime);
  if (format === undefined) throw new UnusableImage({ kind: 'not_an_image' });
  return { mime, format };
}

async function sniff(bytes: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    return undefined; // a file that breaks the sniffer is no supported image
  }
}

/**
 * Returns the megabytes that decoding will take, from the header alone. An AVIF whose header claims a smaller size than its
 * picture has is refused by its decoder before any allocation. Throws when the decoder reports another format, or the image has
 * too many pixels.
 */
async function weigh(bytes: Buffer, format: Format): Promise<number> {
  const found = await sharp(bytes, { limitInputPixels: decoderCosts[format].pixelsMax }).metadata();
  if (found.format !== format) throw new Error(`decoded as ${found.format}`);
  if (format === 'jpeg' && found.isProgressive && countScans(bytes) > scansMax)
    throw new UnusableImage({ kind: 'undecodable', detail: `more than ${scansMax} scans` });
  const cost = costOf(format, found);
  const pixels = found.width * found.height;
  if (pixels > decoderCosts[cost].pixelsMax) throw new UnusableImage(tooManyPixels(cost));
  return Math.ceil((pixels * decoderCosts[cost].bytesPerPixel) / 1_000_000);
}

function costOf(format: Format, { depth, isProgressive }: Metadata): Cost {
  if (format === 'heif' && depth !== 'uchar') return 'deepHeif';
  return format === 'png' && isProgressive ? 'interlacedPng' : format;
}

const tooManyPixels = (cost: Cost): ImageFailure => ({
  kind: 'too_many_pixels',
  number: decoderCosts[cost].pixelsMax / 1_000_000,
});

async function encodeSizes(bytes: Buffer, failOn: 'warning' | 'error'): Promise<EncodedImage> {
  const upright = sharp(bytes, { limitInputPixels: decoderCosts.jpeg.pixelsMax, failOn, sequentialRead: true })
    .autoOrient()
    .flatten({ background: white });
  const large = await toJpeg(upright, imageSizes.large).toBuffer();
  return { large, thumb: await toJpeg(sharp(large), imageSizes.thumb).toBuffer() };
}

function toJpeg(image: Sharp, longestSidePx: number): Sharp {
  return image
    .resize({ width: longestSidePx, height: longestSidePx, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: jpegQuality });
}

/** Messages of libvips name functions and files, so only these few cases are told to the partner. */
function failureOf(error: unknown, mime: string, format: Format): ImageFailure {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(message)) return tooManyPixels(format);
  return { kind: isHeicFamily(mime) ? 'heic' : 'damaged' };
}
