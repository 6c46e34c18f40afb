import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import sharp from 'sharp';
import { createProcessImageCodec } from '../../../gateways/image-process/process-image-codec.ts';
import { programArguments } from '../../../embedded/program-arguments.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const plainAvif = (sidePx: number, bitdepth: 8 | 12 = 8): Promise<Buffer> =>
  sharp({ create: { width: sidePx, height: sidePx, channels: 3, background: '#dc1414' } })
    .avif({ effort: 0, quality: 10, bitdepth })
    .toBuffer();

interface Encoded {
  readonly ends: readonly string[];
  readonly peakMegabytes: number;
}

/** Four at once, as the images of one item, in a process of their own. */
async function encodeFour(bytes: Buffer): Promise<Encoded> {
  const file = join(temporaryFolder('codec'), 'image');
  writeFileSync(file, bytes);
  const program = programArguments('test/gateways/support/encode-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...program, file, '4']);
  return JSON.parse(stdout) as Encoded;
}

test('an AVIF of 2 KB that unpacks to a gigabyte is refused by its header', async (t) => {
  const bomb = await plainAvif(7_071);
  t.true(bomb.length < 2_500);
  const { ends, peakMegabytes } = await encodeFour(bomb);
  t.deepEqual(ends, Array(4).fill('the image has too many pixels (at most 16 million)'));
  t.true(peakMegabytes < 300, `${peakMegabytes} MB`);
});

/** 16 bits and four channels. Interlaced, it is decoded as a whole. */
const plainPng = (width: number, height: number, progressive: boolean): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: '#dc141480' } })
    .toColourspace('rgb16')
    .png({ compressionLevel: 1, progressive })
    .toBuffer();

test('images of the largest sizes stay within the memory of decoders', async (t) => {
  const [avif, deepAvif] = await Promise.all([plainAvif(4_000), plainAvif(3_600, 12)]);
  const [png, interlaced] = await Promise.all([plainPng(7_100, 7_000, false), plainPng(6_400, 5_000, true)]);
  for (const [name, bomb] of Object.entries({ avif, deepAvif, png, interlaced })) {
    const { ends, peakMegabytes } = await encodeFour(bomb);
    t.deepEqual(ends, Array(4).fill('1600 px wide'));
    t.log(`${name}: ${peakMegabytes} MB`);
    // One AVIF takes 320 to 350 MB, four at once would take 1,400.
    t.true(peakMegabytes < 600, `${name}: ${peakMegabytes} MB`);
  }
});

test('an AVIF of more than 8 bits and an interlaced PNG may have fewer pixels', async (t) => {
  const deep = await encodeFour(await plainAvif(4_000, 12));
  t.deepEqual(deep.ends, Array(4).fill('the image has too many pixels (at most 13 million)'));
  const interlaced = await encodeFour(await plainPng(6_500, 5_000, true));
  t.deepEqual(interlaced.ends, Array(4).fill('the image has too many pixels (at most 32 million)'));
});

test('an AVIF that names a smaller size than it has is refused before it is unpacked', async (t) => {
  const lying = await plainAvif(7_071);
  const at = lying.indexOf('ispe');
  for (const side of [8, 12]) lying.writeUInt32BE(100, at + side);
  const { ends, peakMegabytes } = await encodeFour(lying);
  t.deepEqual(ends, Array(4).fill('the file is damaged'));
  t.true(peakMegabytes < 300, `${peakMegabytes} MB`);
});

test('beside an AVIF of the largest size, of 12 bits, images of other accounts are decoded', async (t) => {
  const codec = createProcessImageCodec();
  t.teardown(() => codec.close());
  const small = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#dc1414' } })
    .jpeg()
    .toBuffer();
  const large = await plainAvif(3_600, 12);
  let isDecoded = false;
  const decoding = codec.encode(large, { account: 'large' }).finally(() => {
    isDecoded = true;
  });
  let beside = 0;
  for (; !isDecoded; beside += 1) await codec.encode(small, { account: 'small' });
  t.is((await decoding).widthPx, 1_600);
  t.true(beside > 50, `${beside} small images were decoded meanwhile`);
});
