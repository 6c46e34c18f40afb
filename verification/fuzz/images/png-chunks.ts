import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG file of these chunks, each with a right checksum. */
export const pngOf = (chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer =>
  Buffer.concat([signature, ...chunks.map(([type, data]) => chunk(type, data))]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Says how large the picture is; nobody has to have sent that many pixels. */
export function pngHead(widthPx: number, heightPx: number, { bits = 8, colors = 2 } = {}): readonly ['IHDR', Buffer] {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(widthPx, 0);
  head.writeUInt32BE(heightPx, 4);
  head.set([bits, colors, 0, 0, 0], 8);
  return ['IHDR', head];
}

/** Black rows of one byte a pixel and color: a gigabyte of them packs into a megabyte. */
export const pngBlack = (bytes: number): readonly ['IDAT', Buffer] => [
  'IDAT',
  deflateSync(Buffer.alloc(bytes), { level: 9 }),
];
export const pngEnd = ['IEND', Buffer.alloc(0)] as const;
