import test from 'ava';
import sharp, { type Sharp } from 'sharp';
import { encodeImage, type EncodedImage } from '../../gateways/image-process/encode-image.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';

const red = { r: 220, g: 20, b: 20 };

async function encode(bytes: Buffer): Promise<EncodedImage> {
  const encoded = await encodeImage(bytes, Infinity);
  if ('megabytes' in encoded) throw new Error('no image is too heavy here');
  return encoded;
}

function aPicture(width = 900, height = 600): Sharp {
  return sharp({ create: { width, height, channels: 3, background: red } });
}

async function sizeOf(jpeg: Buffer): Promise<string> {
  const { format, width, height } = await sharp(jpeg).metadata();
  return `${format} ${width}x${height}`;
}

test('every accepted format becomes JPEG in two sizes', async (t) => {
  const picture = aPicture(2000, 1000);
  const inputs = await Promise.all(
    [
      picture.clone().jpeg(),
      picture.clone().png(),
      picture.clone().gif(),
      picture.clone().webp(),
      picture.clone().avif({ effort: 0 }),
    ].map((one) => one.toBuffer()),
  );
  for (const input of inputs) {
    const { large, thumb } = await encode(input);
    t.is(await sizeOf(large), 'jpeg 1600x800');
    t.is(await sizeOf(thumb), 'jpeg 400x200');
  }
});

test('a small image is not enlarged', async (t) => {
  const { large, thumb } = await encode(await aPicture(120, 300).png().toBuffer());
  t.is(await sizeOf(large), 'jpeg 120x300');
  t.is(await sizeOf(thumb), 'jpeg 120x300');
});

test("the camera's rotation is applied to the pixels", async (t) => {
  const lying = await aPicture(1000, 500).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { large, thumb } = await encode(lying);
  t.is(await sizeOf(large), 'jpeg 500x1000');
  t.is(await sizeOf(thumb), 'jpeg 200x400');
});

test('where a picture was taken, and everything else about it, is not in the result', async (t) => {
  const withPlace = await aPicture()
    .withExif({ IFD0: { Artist: 'Kalle' }, IFD3: { GPSLatitude: '59/1 19/1 0/1', GPSLatitudeRef: 'N' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  t.truthy((await sharp(withPlace).metadata()).exif);
  const encoded = await encode(withPlace);
  for (const jpeg of [encoded.large, encoded.thumb]) {
    const { exif, icc, xmp, iptc } = await sharp(jpeg).metadata();
    t.deepEqual([exif, icc, xmp, iptc], [undefined, undefined, undefined, undefined]);
    t.false(jpeg.includes('Kalle'));
  }
});

test('what is transparent becomes white', async (t) => {
  const clear = await sharp({
    create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  const { data } = await sharp((await encode(clear)).large)
    .raw()
    .toBuffer({ resolveWithObject: true });
  t.true(data.every((value) => value > 250));
});

test('what is no accepted image is refused by its content, whatever it is', async (t) => {
  const inputs = {
    svg: Buffer.from(
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ),
    tiff: await aPicture(10, 10).tiff().toBuffer(),
    html: Buffer.from('<!doctype html><title>404</title>'),
    pdf: Buffer.from('%PDF-1.7\n'),
    zip: Buffer.from('504b0304140000000000', 'hex'),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(inputs))
    t.is((await t.throwsAsync(encode(bytes), { instanceOf: UnusableImage }, name))?.failure.kind, 'not_an_image', name);
});

test('a HEIC photograph is refused with advice', async (t) => {
  const heic = Buffer.concat([
    Buffer.from('00000018', 'hex'),
    Buffer.from('ftypheic'),
    Buffer.from('00000000', 'hex'),
    Buffer.from('mif1heic'),
    Buffer.alloc(200),
  ]);
  t.is((await t.throwsAsync(encode(heic), { instanceOf: UnusableImage })).failure.kind, 'heic');
});

test('an image cut short or damaged is refused', async (t) => {
  const noise = await sharp({
    create: {
      width: 600,
      height: 600,
      channels: 3,
      background: red,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .toColourspace('srgb')
    .png()
    .toBuffer();
  const jpeg = await sharp(noise).jpeg().toBuffer();
  for (const bytes of [noise.subarray(0, noise.length / 2), jpeg.subarray(0, jpeg.length / 2), jpeg.subarray(0, 20)])
    t.is((await t.throwsAsync(encode(bytes), { instanceOf: UnusableImage })).failure.kind, 'damaged');
});

test('a small file that unpacks to too many pixels is refused without being unpacked', async (t) => {
  const bomb = await sharp({ create: { width: 9000, height: 6000, channels: 3, background: red } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  t.true(bomb.length < 1_000_000);
  t.is(
    (await t.throwsAsync(encode(bomb), { instanceOf: UnusableImage })).message,
    'the image has too many pixels (at most 51 million)',
  );
});

test('a picture of a camera of 50 megapixels is hosted', async (t) => {
  const jpeg = await aPicture(8192, 6144).jpeg().toBuffer();
  t.is(await sizeOf((await encode(jpeg)).large), 'jpeg 1600x1200');
});

test('of an animation the first picture is taken', async (t) => {
  const frames = Buffer.concat([Buffer.alloc(40 * 40 * 3, 10), Buffer.alloc(40 * 40 * 3, 240)]);
  const gif = await sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } })
    .gif({ delay: [50, 50] })
    .toBuffer();
  t.is((await sharp(gif).metadata()).pages, 2);
  const { large } = await encode(gif);
  t.is(await sizeOf(large), 'jpeg 40x40');
  t.true((await sharp(large).raw().toBuffer()).every((value) => value < 40));
});

const drawing = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="9" height="9"/></svg>`;

for (const brand of ['avif', 'avis', 'mif1', 'msf1', 'heic', 'heix', 'hevc', 'hevx'])
  test(`a drawing behind the signature of ${brand} is refused before it is drawn`, async (t) => {
    // Eight bytes make a container of this brand for the sniffer, and a comment for the program that draws SVG.
    const bytes = Buffer.from(`<!--ftyp${brand}-->${drawing(400, 300)}`);
    await t.throwsAsync(encode(bytes), { instanceOf: UnusableImage });
  });

test('only five decoders can be reached in this process, whatever the bytes look like', async (t) => {
  const tiff = await aPicture(10, 10).tiff().toBuffer();
  for (const bytes of [Buffer.from(drawing(9, 9)), tiff, Buffer.from('%PDF-1.7\n'), Buffer.from('P6 1 1 255\n   ')])
    await t.throwsAsync(sharp(bytes).metadata(), { message: /unsupported image format/ });
});
