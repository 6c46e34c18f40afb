import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import sharp from 'sharp';
import { createProcessImageCodec } from '../../../gateways/image-codec/process-image-codec.ts';
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
  t.deepEqual(ends, Array(4).fill('the image has too many pixels (at most 25 million)'));
  t.true(peakMegabytes < 300, `${peakMegabytes} MB`);
});

test('images of the largest size are decoded one after the other', async (t) => {
  const { ends, peakMegabytes } = await encodeFour(await plainAvif(5_000));
  t.deepEqual(ends, Array(4).fill('1600 px wide'));
  // One takes some 450 MB, and the allocator gives it back late; all at once take 1,800.
  t.true(peakMegabytes < 1_000, `${peakMegabytes} MB`);
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
  const large = await plainAvif(5_000, 12);
  let isDecoded = false;
  const decoding = codec.encode(large, { account: 'large' }).finally(() => {
    isDecoded = true;
  });
  let beside = 0;
  for (; !isDecoded; beside += 1) await codec.encode(small, { account: 'small' });
  t.is((await decoding).widthPx, 1_600);
  t.true(beside > 50, `${beside} small images were decoded meanwhile`);
});
