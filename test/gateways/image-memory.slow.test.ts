import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import sharp from 'sharp';
import { programArguments } from '../../embedded/program-arguments.ts';
import { openImageShop } from './support/image-shop.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const plainAvif = (sidePx: number, bitdepth: 8 | 12 = 8): Promise<Buffer> =>
  sharp({ create: { width: sidePx, height: sidePx, channels: 3, background: '#dc1414' } })
    .avif({ effort: 0, quality: 10, bitdepth })
    .toBuffer();

interface Hosted {
  readonly ends: readonly string[];
  readonly peakMegabytes: number;
}

/** Four at once, as the images of one item, in a process of their own. */
async function hostFour(bytes: Buffer): Promise<Hosted> {
  const file = join(temporaryFolder('bomb'), 'image');
  writeFileSync(file, bytes);
  const program = programArguments('test/gateways/support/host-images-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...program, file, '4']);
  return JSON.parse(stdout) as Hosted;
}

test('an AVIF of 2 KB that unpacks to a gigabyte is refused by its header', async (t) => {
  const bomb = await plainAvif(7_071);
  t.true(bomb.length < 2_500);
  const { ends, peakMegabytes } = await hostFour(bomb);
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
    const { ends, peakMegabytes } = await hostFour(bomb);
    t.deepEqual(ends, Array(4).fill('1600 px wide'));
    t.log(`${name}: ${peakMegabytes} MB`);
    // One AVIF takes 320 to 350 MB, four at once would take 1,400.
    t.true(peakMegabytes < 600, `${name}: ${peakMegabytes} MB`);
  }
});

test('an AVIF of more than 8 bits and an interlaced PNG may have fewer pixels', async (t) => {
  const deep = await hostFour(await plainAvif(4_000, 12));
  t.deepEqual(deep.ends, Array(4).fill('the image has too many pixels (at most 13 million)'));
  const interlaced = await hostFour(await plainPng(6_500, 5_000, true));
  t.deepEqual(interlaced.ends, Array(4).fill('the image has too many pixels (at most 32 million)'));
});

test('an AVIF that names a smaller size than it has is refused before it is unpacked', async (t) => {
  const lying = await plainAvif(7_071);
  const at = lying.indexOf('ispe');
  for (const side of [8, 12]) lying.writeUInt32BE(100, at + side);
  const { ends, peakMegabytes } = await hostFour(lying);
  t.deepEqual(ends, Array(4).fill('the file is damaged'));
  t.true(peakMegabytes < 300, `${peakMegabytes} MB`);
});

test('beside an AVIF of the largest size, of 12 bits, images of other accounts are hosted', async (t) => {
  const [large, small] = await Promise.all([
    openImageShop(await plainAvif(3_600, 12)),
    openImageShop(
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#dc1414' } })
        .jpeg()
        .toBuffer(),
    ),
  ]);
  t.teardown(() => Promise.all([large.close(), small.close()]));
  let isHosted = false;
  const hosting = large.host('large').finally(() => {
    isHosted = true;
  });
  let beside = 0;
  for (; !isHosted; beside += 1) await large.host('small', small.url);
  t.is((await sharp((await hosting).large).metadata()).width, 1_600);
  t.true(beside > 20, `${beside} small images were hosted meanwhile`);
});

test('an image is hosted in two sizes, one that is heavier than usual too, and a drawing is refused', async (t) => {
  const picture = (sidePx: number) =>
    sharp({ create: { width: sidePx, height: sidePx / 2, channels: 3, background: '#dc1414' } });
  // The second takes more memory than is granted without a look at its header.
  for (const image of [await picture(2_000).jpeg().toBuffer(), await picture(6_000).png().toBuffer()]) {
    const shop = await openImageShop(image);
    t.teardown(() => shop.close());
    const { large, thumb } = await shop.host('a');
    t.like(await sharp(large).metadata(), { format: 'jpeg', width: 1_600, height: 800 });
    t.like(await sharp(thumb).metadata(), { format: 'jpeg', width: 400, height: 200 });
  }
  const drawing = await openImageShop(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'));
  t.teardown(() => drawing.close());
  await t.throwsAsync(drawing.host('a'), { message: 'the file is not a JPEG, PNG, GIF, WebP or AVIF image' });
});
