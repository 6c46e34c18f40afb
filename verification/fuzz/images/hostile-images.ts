import sharp, { type AvifOptions } from 'sharp';
import { gzipSync } from 'node:zlib';
import pLimit from 'p-limit';
import { file, type ImageAnswer } from './image-host.ts';
import { pngBlack, pngEnd, pngHead, pngOf } from './png-chunks.ts';

export interface HostileImage {
  readonly name: string;
  readonly kind: string;
  readonly answer: ImageAnswer;
  /** What must come of it; `either` where decoders may well differ. */
  readonly outcome: 'hosted' | 'failed' | 'either';
  /** Of the hosted picture, where it must be this one. */
  readonly size?: string;
}

/** In every file that has room for it, and never in a hosted picture. */
export const smuggled = 'SMUGGLED<script>alert(1)</script>';

type Row = readonly [name: string, bytes: Buffer | Promise<Buffer>, outcome: HostileImage['outcome'], size?: string];

const picture = (width = 640, height = 400) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: 200, g: 40, b: 20 },
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

/** Pictures as they should be, one of each kind that is accepted: what is thrown is made of them. */
export async function soundImages(): Promise<Readonly<Record<string, Buffer>>> {
  const one = picture(200, 120);
  return {
    jpeg: await one.clone().jpeg().toBuffer(),
    png: await one.clone().png().toBuffer(),
    webp: await one.clone().webp().toBuffer(),
    gif: await one.clone().gif().toBuffer(),
    avif: await one.clone().avif({ effort: 0 }).toBuffer(),
  };
}

/** Names by which a reader of bytes 4 to 11 takes a file for AVIF or HEIC. */
const heifBrands = ['avif', 'avis', 'mif1', 'msf1', 'heic', 'heix', 'hevc', 'hevx'];

/** A box of an AVIF or HEIC file: its length, its type, its content. */
function box(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 8);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content]);
}

/** An SVG that would be drawn for minutes. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><filter id="a">${'<feMorphology operator="dilate" radius="1000"/>'.repeat(60)}</filter><rect width="2000" height="2000" filter="url(#a)"/></svg>`;

export async function hostileImages(): Promise<HostileImage[]> {
  const sound = await soundImages();
  const kinds: Readonly<Record<string, readonly Row[]>> = {
    'images cut short': truncated(sound),
    'image bombs': bombs(sound),
    'two kinds in one file': polyglots(sound),
    'no images': noImages(sound),
    'unusual images': unusual(sound),
  };
  const files = await Promise.all(
    Object.entries(kinds).flatMap(([kind, rows]) =>
      rows.map(async ([name, bytes, outcome, size]): Promise<HostileImage> => ({
        kind,
        name,
        outcome,
        answer: file(await bytes),
        ...(size !== undefined && { size }),
      })),
    ),
  );
  return files;
}

type Sound = Readonly<Record<string, Buffer>>;
const of = (sound: Sound, name: string): Buffer => sound[name] ?? Buffer.alloc(0);

function truncated(sound: Sound): Row[] {
  return Object.entries(sound).flatMap(([name, bytes]): Row[] => [
    // A GIF and an AVIF may have their first picture whole by then.
    [`${name}, half`, bytes.subarray(0, bytes.length / 2), name === 'jpeg' || name === 'png' ? 'failed' : 'either'],
    [`${name}, without its last byte`, bytes.subarray(0, -1), 'either'],
    [`${name}, its first 20 bytes`, bytes.subarray(0, 20), 'failed'],
    [`${name}, its first 3 bytes`, bytes.subarray(0, 3), 'failed'],
  ]);
}

function bombs(sound: Sound): Row[] {
  const giant = Buffer.from(of(sound, 'gif'));
  giant.writeUInt16LE(65_535, 6);
  giant.writeUInt16LE(65_535, 8);
  const text = Buffer.concat([Buffer.from('Comment\0\0'), pngBlack(50_000_000)[1]]);
  const largest = plainAvif(7_071);
  return [
    ['PNG of 50,000 × 50,000', pngOf([pngHead(50_000, 50_000), pngBlack(30_000_000), pngEnd]), 'failed'],
    [
      'PNG of 2,147,483,647 × 2,147,483,647',
      pngOf([pngHead(2 ** 31 - 1, 2 ** 31 - 1), pngBlack(1_000), pngEnd]),
      'failed',
    ],
    ['PNG of 0 × 0', pngOf([pngHead(0, 0), pngBlack(1_000), pngEnd]), 'failed'],
    ['PNG of 1 × 49,000,000', pngOf([pngHead(1, 49_000_000), pngBlack(1_000), pngEnd]), 'failed'],
    [
      'PNG of 7,000 × 7,000, all there',
      pngOf([pngHead(7_000, 7_000), pngBlack(7_000 * 21_001), pngEnd]),
      'hosted',
      '1600x1600',
    ],
    ['PNG of 7,200 × 7,200, all there', pngOf([pngHead(7_200, 7_200), pngBlack(7_200 * 21_601), pngEnd]), 'failed'],
    ['PNG with 300 MB of data too many', pngOf([pngHead(10, 10), pngBlack(300_000_000), pngEnd]), 'either'],
    ['PNG with a packed text of 50 MB', pngOf([pngHead(10, 10), ['zTXt', text], pngBlack(310), pngEnd]), 'either'],
    ['PNG with a packed profile of 50 MB', pngOf([pngHead(10, 10), ['iCCP', text], pngBlack(310), pngEnd]), 'either'],
    [
      'PNG of 100,000 chunks',
      pngOf([
        pngHead(10, 10),
        ...Array.from({ length: 100_000 }, () => ['tEXt', Buffer.from('a\0b')] as const),
        pngBlack(310),
        pngEnd,
      ]),
      'either',
    ],
    // Its only picture is small, so the decoder takes the size of that.
    ['GIF of 65,535 × 65,535', giant, 'either'],
    ['JPEG of 65,500 × 65,500', withJpegSize(of(sound, 'jpeg'), 65_500), 'failed'],
    ['GIF of 3,000 pictures', animation(3_000, 'gif'), 'hosted'],
    ['AVIF of 7,071 × 7,071 in 2 KB', largest, 'failed'],
    ['AVIF of 4,000 × 4,000 in 1 KB', plainAvif(4_000), 'hosted', '1600x1600'],
    // Four of the largest, side by side, each of another kind.
    ['AVIF of 3,600 × 3,600 and 10 bits', plainAvif(3_600, { bitdepth: 10 }), 'hosted', '1600x1600'],
    ['AVIF of 3,600 × 3,600 and 12 bits', plainAvif(3_600, { bitdepth: 12 }), 'hosted', '1600x1600'],
    // Twice the planes: on a busy machine that is too long.
    ['AVIF of 3,600 × 3,600 and 12 bits, transparent', plainAvif(3_600, { bitdepth: 12 }, 4), 'either'],
    ['AVIF of 4,001 × 4,001', plainAvif(4_001), 'failed'],
    ['AVIF of 3,606 × 3,606 and 12 bits', plainAvif(3_606, { bitdepth: 12 }), 'failed'],
    ['AVIF of 7,071 × 7,071 that says 100 × 100', largest.then((avif) => withAvifSize(avif, 100)), 'failed'],
    ['AVIF that says 5,000 × 5,000', withAvifSize(of(sound, 'avif'), 5_000), 'either'],
    ['AVIF that says 65,535 × 65,535', withAvifSize(of(sound, 'avif'), 65_535), 'failed'],
  ];
}

/** Each takes a gigabyte to make. */
const oneAtOnce = pLimit(1);

const plainAvif = (sidePx: number, options: AvifOptions = {}, channels: 3 | 4 = 3): Promise<Buffer> =>
  oneAtOnce(() =>
    sharp({ create: { width: sidePx, height: sidePx, channels, background: '#12345680' } })
      .avif({ effort: 0, quality: 10, ...options })
      .toBuffer(),
  );

/** Its header says another size than its picture has. */
function withAvifSize(avif: Buffer, px: number): Buffer {
  const changed = Buffer.from(avif);
  const at = changed.indexOf('ispe');
  for (const side of [8, 12]) changed.writeUInt32BE(px, at + side);
  return changed;
}

/** Its frame header says another size than it has. */
function withJpegSize(jpeg: Buffer, px: number): Buffer {
  const changed = Buffer.from(jpeg);
  const at = Math.max(changed.indexOf(Buffer.from([0xff, 0xc0])), changed.indexOf(Buffer.from([0xff, 0xc2])));
  changed.writeUInt16BE(px, at + 5);
  changed.writeUInt16BE(px, at + 7);
  return changed;
}

async function animation(frames: number, format: 'gif' | 'webp'): Promise<Buffer> {
  const [width, height] = [8, 8];
  const pixels = Buffer.from(
    Array.from({ length: frames * width * height * 3 }, (_, at) => (at * 31 + (at >> 7)) % 256),
  );
  const strip = sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } });
  return format === 'gif'
    ? strip.gif({ effort: 1, loop: 0 }).toBuffer()
    : strip.webp({ effort: 0, loop: 0 }).toBuffer();
}

function polyglots(sound: Sound): Row[] {
  const [jpeg, png, gif, avif] = [of(sound, 'jpeg'), of(sound, 'png'), of(sound, 'gif'), of(sound, 'avif')];
  const zip = bytesOf('PK\x03\x04\x14\0\0\0\0\0SMUGGLED');
  const end = Buffer.from(smuggled);
  const html = Buffer.from(`<html>${smuggled}</html>`);
  const tiff = picture(200, 120).tiff().toBuffer();
  return [
    ['JPEG and ZIP', Buffer.concat([jpeg, zip]), 'hosted', '200x120'],
    ['JPEG and HTML', Buffer.concat([jpeg, html]), 'hosted', '200x120'],
    ['JPEG with a script as its comment', withJpegComment(jpeg, end), 'hosted', '200x120'],
    ['GIF and JavaScript', Buffer.concat([gif, Buffer.from('/*'), end, Buffer.from('*/=1')]), 'hosted', '200x120'],
    ['GIF head and JavaScript', Buffer.from(`GIF89a/*${smuggled}*/=1;`), 'failed'],
    ['PNG and PHP', Buffer.concat([png, Buffer.from('<?php system($_GET[0]); ?>'), end]), 'hosted', '200x120'],
    ['PNG with a script as its text', withPngText(png, end), 'hosted', '200x120'],
    ['JPEG and JPEG', Buffer.concat([jpeg, jpeg]), 'hosted', '200x120'],
    ...['jpeg', 'png', 'gif', 'webp'].map((name): Row => [
      `${name} and SVG`,
      Buffer.concat([of(sound, name), svg]),
      'hosted',
      '200x120',
    ]),
    ['AVIF and SVG in a box of it', Buffer.concat([avif, box('free', svg)]), 'hosted', '200x120'],
    ['PDF and JPEG', Buffer.concat([Buffer.from('%PDF-1.4\n'), jpeg]), 'failed'],
    ['HTML and JPEG', Buffer.concat([html, jpeg]), 'failed'],
    ['an empty ID3 head and JPEG', Buffer.concat([bytesOf('ID3\x03\0\0\0\0\0\0'), jpeg]), 'failed'],
    ['a BOM and JPEG', Buffer.concat([Buffer.from('\ufeff'), jpeg]), 'failed'],
    ...heifBrands.map((brand): Row => [`SVG behind ${brand}`, Buffer.from(`<!--ftyp${brand}-->${drawing}`), 'failed']),
    ['SVG behind avif, a BOM first', Buffer.from(`\ufeff<!--ftypavif-->${drawing}`), 'failed'],
    ['SVG behind avif in an instruction of XML', Buffer.from(`<?xyftypavif?>${drawing}`), 'failed'],
    ['SVG behind avif with a picture that takes 600 MB', Buffer.from(`<!--ftypavif-->${vastDrawing()}`), 'failed'],
    ...['avif', 'mif1', 'heic'].map((brand): Row => [
      `SVG behind a whole box of ${brand}`,
      Buffer.concat([typeBox(brand), Buffer.from(drawing)]),
      'failed',
    ]),
    ...Object.entries(signatures).flatMap(([name, magic]): Row[] => [
      [`SVG behind the signature of ${name}`, Buffer.concat([bytesOf(magic), Buffer.from(drawing)]), 'failed'],
      [`TIFF behind the signature of ${name}`, tiff.then((bytes) => Buffer.concat([bytesOf(magic), bytes])), 'failed'],
      [`PDF behind the signature of ${name}`, bytesOf(`${magic}%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj`), 'failed'],
    ]),
    ...Object.entries(otherDecoders).map(([name, magic]): Row => [
      `${name} that says avif`,
      bytesOf(`${magic}ftypavif${'\n'.repeat(600)}`),
      'failed',
    ]),
  ];
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** By these the kind of a file is told. */
const signatures: Readonly<Record<string, string>> = {
  JPEG: '\xff\xd8\xff',
  PNG: '\x89PNG\r\n\x1a\n',
  GIF: 'GIF89a',
  WebP: 'RIFF\xff\xff\0\0WEBP',
};

/** Four bytes that begin a file of another kind: what stands behind them is where AVIF has its name. */
const otherDecoders: Readonly<Record<string, string>> = {
  TIFF: 'II*\0',
  'TIFF, the other way round': 'MM\0*',
  BigTIFF: 'II+\0',
  PDF: '%PDF',
  BMP: 'BM\0\0',
  'JPEG XL': '\xff\x0a\0\0',
  'JPEG 2000': '\xff\x4f\xff\x51',
  OpenEXR: '\x76\x2f\x31\x01',
  PPM: 'P6\n#',
  'a packed file': '\x1f\x8b\x08\0',
  'an HDR': '#?RA',
};

const typeBox = (brand: string): Buffer => box('ftyp', bytesOf(`${brand}\0\0\0\0${brand}mif1`));

/** A picture of 144 million pixels in a drawing of nine. */
function vastDrawing(): string {
  const png = pngOf([pngHead(12_000, 12_000, { bits: 1, colors: 0 }), pngBlack(12_000 * 1_501), pngEnd]);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image width="9" height="9" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
}

function withJpegComment(jpeg: Buffer, text: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, text, jpeg.subarray(2)]);
}

function withPngText(png: Buffer, text: Buffer): Buffer {
  const [head, chunk] = [png.subarray(0, 33), pngOf([['tEXt', Buffer.concat([Buffer.from('Comment\0'), text])]])];
  return Buffer.concat([head, chunk.subarray(8), png.subarray(33)]);
}

const svg = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${smuggled}</script><image href="file:///etc/passwd"/><text>&x;</text></svg>`,
);

function noImages(sound: Sound): Row[] {
  const text = (content: string): Buffer => Buffer.from(content, 'latin1');
  const filler = '\0'.repeat(600);
  const rows: Readonly<Record<string, Buffer>> = {
    SVG: svg,
    'SVG, packed': gzipSync(svg),
    'HTML named as a picture': text(`<!doctype html>${smuggled}`),
    JSON: text('{"a":1}'),
    PDF: text(`%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF${filler}`),
    PostScript: text(`%!PS-Adobe-3.0\n(%pipe%id) (w) file ${filler}`),
    TIFF: text(`II*\0\x08\0\0\0\0\0${filler}`),
    BMP: text(`BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0${filler}`),
    ICO: text(`\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0${filler}`),
    'JPEG 2000': text(`\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 ${filler}`),
    'JPEG XL': text(`\xff\x0a${filler}`),
    MP4: text(`\0\0\0\x18ftypisom\0\0\x02\0isomiso2${filler}`),
    'HEIC without a picture': text(`\0\0\0\x18ftypheic\0\0\0\0heicmif1${filler}`),
    'AVIF without a picture': text(`\0\0\0\x18ftypavif\0\0\0\0avifmif1${filler}`),
    ZIP: text(`PK\x03\x04${filler}`),
    ELF: text(`\x7fELF\x02\x01\x01${filler}`),
    'MVG of ImageMagick': text(`push graphic-context\nfill 'url(https://127.0.0.1/|id)'\npop graphic-context${filler}`),
    'a PPM': text('P6 100000 100000 255\n'),
    'an HDR': text(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n${filler}`),
    'the magic of a JPEG and nothing': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    'the magic of a PNG and nothing': of(sound, 'png').subarray(0, 8),
    'the magic of a WebP and nothing': text(`RIFF\xff\xff\xff\xffWEBPVP8 ${filler}`),
    'NUL bytes': Buffer.alloc(1_000_000),
    'no bytes': Buffer.alloc(0),
    'one byte': Buffer.alloc(1),
  };
  return Object.entries(rows).map(([name, bytes]) => [name, bytes, 'failed'] as const);
}

function unusual(sound: Sound): Row[] {
  const jpeg = of(sound, 'jpeg');
  const place = { IFD0: { Artist: smuggled }, IFD3: { GPSLatitude: '59/1 19/1 0/1', GPSLatitudeRef: 'N' } };
  return [
    ['JPEG in CMYK', picture().toColourspace('cmyk').jpeg().toBuffer(), 'hosted', '640x400'],
    ['JPEG in grey', picture().greyscale().jpeg().toBuffer(), 'hosted', '640x400'],
    ['JPEG, progressive', picture().jpeg({ progressive: true }).toBuffer(), 'hosted', '640x400'],
    ['PNG of 16 bits', picture().toColourspace('rgb16').png().toBuffer(), 'hosted', '640x400'],
    [
      'PNG with a palette, interlaced',
      picture().png({ palette: true, progressive: true }).toBuffer(),
      'hosted',
      '640x400',
    ],
    ['PNG that is transparent', picture().ensureAlpha(0).png().toBuffer(), 'hosted', '640x400'],
    ['JPEG that lies on its side', picture().withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'hosted', '400x640'],
    ['JPEG with a place in it', picture().withExif(place).withIccProfile('p3').jpeg().toBuffer(), 'hosted', '640x400'],
    [
      'JPEG with broken EXIF',
      Buffer.concat([
        jpeg.subarray(0, 2),
        Buffer.from('ffe1002a457869660000ffffffffffffffffffff', 'hex'),
        Buffer.alloc(24, 0xff),
        jpeg.subarray(2),
      ]),
      'either',
    ],
    ['GIF that moves', animation(10, 'gif'), 'hosted', '8x8'],
    ['WebP that moves', animation(10, 'webp'), 'hosted', '8x8'],
    ['PNG of 1 × 1', picture(1, 1).png().toBuffer(), 'hosted', '1x1'],
    ['PNG of 1 × 9,000', picture(1, 9_000).png().toBuffer(), 'hosted'],
    ['WebP without loss', picture().webp({ lossless: true }).toBuffer(), 'hosted', '640x400'],
    ['AVIF', Promise.resolve(of(sound, 'avif')), 'hosted', '200x120'],
  ];
}
