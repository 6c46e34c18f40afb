import test, { type ExecutionContext } from 'ava';
import sharp from 'sharp';
import { encodeImage } from '../../gateways/image-process/encode-image.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';

const [width, height] = [320, 240];

// One after the other, as in a decoder's process: libvips collects the messages of all pictures in one place.

/** A photograph-like picture: each part of it takes some of the file. */
async function photograph(options: { progressive?: boolean } = {}): Promise<Buffer> {
  const pixels = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, n) => (((n * 7919) % 251) + (n % 97) * 2) % 256),
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80, ...options })
    .toBuffer();
}

/** `hosted`, or the kind of failure. */
async function outcomeOf(bytes: Buffer): Promise<string> {
  try {
    await encodeImage(bytes, Infinity);
    return 'hosted';
  } catch (error) {
    return error instanceof UnusableImage ? error.failure.kind : String(error);
  }
}

async function all(t: ExecutionContext, wanted: string, pictures: Readonly<Record<string, Buffer>>): Promise<void> {
  for (const [name, bytes] of Object.entries(pictures)) t.is(await outcomeOf(bytes), wanted, name);
}

const endOfImage = Buffer.from([0xff, 0xd9]);
const part = (jpeg: Buffer, share: number): Buffer => jpeg.subarray(0, Math.floor(jpeg.length * share));

/** As Samsung's cameras write it: a baseline scan with the parameters of another. */
function asSamsung(jpeg: Buffer): Buffer {
  const bytes = Buffer.from(jpeg);
  const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
  bytes.set([0, 0, 0], scan + 2 + bytes.readUInt16BE(scan + 2) - 3);
  return bytes;
}

function inserted(jpeg: Buffer, at: number, bytes: readonly number[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, at), Buffer.from(bytes), jpeg.subarray(at)]);
}

test.serial('a whole picture is hosted without its end marker, and with more behind it', async (t) => {
  for (const jpeg of [await photograph(), await photograph({ progressive: true })]) {
    await all(t, 'hosted', {
      whole: jpeg,
      'without the end marker': jpeg.subarray(0, -2),
      'without half of the end marker': jpeg.subarray(0, -1),
      'zeros behind': Buffer.concat([jpeg, Buffer.alloc(512)]),
      'text behind': Buffer.concat([jpeg, Buffer.from('\r\n<!-- cached -->')]),
      'a second picture behind': Buffer.concat([jpeg, jpeg]),
      'half a picture behind': Buffer.concat([jpeg, part(jpeg, 0.5)]),
    });
  }
});

test.serial('a picture that lacks a part is damaged, with an end marker behind it or without', async (t) => {
  for (const jpeg of [await photograph(), await photograph({ progressive: true })]) {
    const middle = Math.floor(jpeg.length / 2);
    await all(t, 'damaged', {
      'two thirds of it': part(jpeg, 2 / 3),
      'two thirds with the end marker': Buffer.concat([part(jpeg, 2 / 3), endOfImage]),
      'a tenth of it': part(jpeg, 0.1),
      'a tenth with the end marker': Buffer.concat([part(jpeg, 0.1), endOfImage]),
      'all but the last hundred bytes': jpeg.subarray(0, -100),
      'all but the last hundred bytes, with the end marker': Buffer.concat([jpeg.subarray(0, -100), endOfImage]),
      'without a part in the middle': Buffer.concat([jpeg.subarray(0, middle), jpeg.subarray(middle + 1_460)]),
      'without a tenth in the middle': Buffer.concat([jpeg.subarray(0, middle), jpeg.subarray(middle * 1.2)]),
      'nothing but its head': jpeg.subarray(0, 100),
    });
  }
});

test.serial('the scans of Samsung’s cameras are hosted when they are whole, and only then', async (t) => {
  const jpeg = asSamsung(await photograph());
  const thumbnail = inserted(jpeg, 2, [0xff, 0xe1, 0, 12, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
  await all(t, 'hosted', {
    whole: jpeg,
    'without the end marker': jpeg.subarray(0, -2),
    'a scan’s marker in its metadata': thumbnail,
    'zeros behind': Buffer.concat([jpeg, Buffer.alloc(64)]),
  });
  const middle = Math.floor(jpeg.length / 2);
  await all(t, 'damaged', {
    'half of it': part(jpeg, 0.5),
    'half with the end marker': Buffer.concat([part(jpeg, 0.5), endOfImage]),
    'without a part in the middle': Buffer.concat([jpeg.subarray(0, middle), jpeg.subarray(middle + 1_460)]),
    'cut in the scan’s header': jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])) + 6),
  });
});

test.serial('what the decoder warns of and draws all the same is hosted', async (t) => {
  const jpeg = await photograph();
  const progressive = await photograph({ progressive: true });
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const adobe = [0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 7];
  const odd = {
    'bytes between two segments': inserted(jpeg, frame, [0, 0]),
    'a colour transform that Adobe does not know': inserted(jpeg, 2, adobe),
    'bytes before a progressive frame': inserted(
      progressive,
      progressive.indexOf(Buffer.from([0xff, 0xc2])),
      [0, 0, 0],
    ),
  };
  await all(t, 'hosted', odd);
  const cut = Object.entries(odd).map(([name, bytes]) => [`half of: ${name}`, part(bytes, 0.5)] as const);
  await all(t, 'damaged', Object.fromEntries(cut));
});

/** The last scan of a progressive picture as often as wanted, with a comment before each. */
function withScans(jpeg: Buffer, scans: number): Buffer {
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const before = jpeg.subarray(0, last);
  const own = [...before.toString('latin1').matchAll(/\xff\xda/g)].length;
  const comment = Buffer.from([0xff, 0xfe, 0, 6, ...endOfImage, 0xff, 0xda]);
  const scan = Buffer.concat([comment, jpeg.subarray(last, -2)]);
  return Buffer.concat([before, ...Array.from({ length: scans - own }, () => scan), endOfImage]);
}

test.serial(
  'a JPEG of more than a hundred scans is refused before it is decoded, whatever its comments hold',
  async (t) => {
    const jpeg = await photograph({ progressive: true });
    const marker = [0xff, 0xda, ...endOfImage];
    await all(t, 'undecodable', {
      'a scan too many': withScans(jpeg, 101),
      'thousands of scans': withScans(jpeg, 3_000),
    });
    const comment = [0xff, 0xfe, 1, 0xf2, ...Array.from({ length: 124 }, () => marker).flat()];
    await all(t, 'hosted', {
      'markers in a comment': inserted(jpeg, 2, comment),
      'markers behind the picture': Buffer.concat([
        jpeg,
        Buffer.from(Array.from({ length: 200 }, () => marker).flat()),
      ]),
    });
    t.deepEqual(await encodeImage(withScans(jpeg, 100), 0), { megabytes: 1 });
  },
);

/** The header alone says so many pixels. */
function ofSize(jpeg: Buffer, columns: number, rows: number): Buffer {
  const bytes = Buffer.from(jpeg);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(rows, frame + 5);
  bytes.writeUInt16BE(columns, frame + 7);
  return bytes;
}

test.serial('the sizes that cameras of 50 megapixels have are taken, and none above 51', async (t) => {
  const jpeg = await photograph();
  const weigh = (columns: number, rows: number) => encodeImage(ofSize(jpeg, columns, rows), 0);
  t.deepEqual(await weigh(8192, 6144), { megabytes: 252 });
  t.deepEqual(await weigh(6144, 8192), { megabytes: 252 });
  t.deepEqual(await weigh(8688, 5792), { megabytes: 252 });
  t.deepEqual(await weigh(8160, 6120), { megabytes: 250 });
  t.deepEqual(await weigh(8500, 6000), { megabytes: 255 });
  const error = await t.throwsAsync(weigh(8500, 6001), { instanceOf: UnusableImage });
  t.deepEqual(error.failure, { kind: 'too_many_pixels', number: 51 });
});
