import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** Sizes of the pictures that are measured: what a phone's web upload and its camera make. */
export const photoSizes = {
  '2 MP': { kind: '2mp', width: 1_632, height: 1_224 },
  '12 MP': { kind: '12mp', width: 4_000, height: 3_000 },
} as const;
export type PhotoSize = keyof typeof photoSizes;

const quality = 90;
/** Pixels of the random picture that is drawn large, and how much grain lies over it: together they fill a JPEG as a photo does. */
const [coarse, grain] = [96, 12];

/** A picture of soft shapes with grain: neither a flat colour nor pure noise. */
export async function drawPhoto({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const shapes = sharp(randomBytes(coarse * coarse * 3), { raw: { width: coarse, height: coarse, channels: 3 } });
  const soft = await shapes.resize(width, height, { fit: 'fill', kernel: 'cubic' }).jpeg({ quality }).toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: grain } as const;
  const grains = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(soft)
    .composite([{ input: grains, blend: 'overlay' }])
    .jpeg({ quality })
    .toBuffer();
}

/** The same picture with other bytes, so that none is found stored already: a comment behind the first marker. */
export function withComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text, 'ascii');
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}
