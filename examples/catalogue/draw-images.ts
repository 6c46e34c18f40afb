// Draws the pictures of the catalogue: `node --import=tsx examples/catalogue/draw-images.ts [--sheet FILE] [--only NAME]`.
// The drawings are original work under the project's licence. The files are committed; run this only to change them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { drawings } from './drawing/drawings.ts';
import { renderScene } from './drawing/scene.ts';
import { imagesFolder, loadCatalogue, type CatalogueItem } from './load-catalogue.ts';

interface ImageFile {
  readonly file: string;
  readonly base: string;
  readonly view: number;
  readonly format: string;
  readonly item: CatalogueItem;
}

/** The one file with a camera's traces in it (EXIF with a position), to show that the service takes them out. */
const fileWithMetadata = 'mountainbike-1.jpg';

export async function drawImage({ base, view, format, item, file }: ImageFile): Promise<Buffer> {
  const drawing = drawings[base];
  if (drawing === undefined) throw new Error(`${file}: nothing is drawn under the name ${base}`);
  const tag = [
    item.externalId,
    `${item.price} kr`,
    item.account ?? 'eget lager',
    drawing.look.label.replace('|', ' '),
  ].filter((row) => row !== '');
  const svg = renderScene(drawing, { view, seed: seedOf(file), tag, isCutOut: format === 'png' });
  const picture = sharp(Buffer.from(svg), { density: 96 }).resize(view === 1 && format === 'jpg' ? 1100 : 1000);
  return encode(file === fileWithMetadata ? picture.withExif(traces) : picture, format);
}

async function encode(picture: Sharp, format: string): Promise<Buffer> {
  if (format === 'png') return picture.png({ palette: true, quality: 90, effort: 10 }).toBuffer();
  if (format === 'webp') return picture.webp({ quality: 80, effort: 6 }).toBuffer();
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality: 76, mozjpeg: true }).toBuffer();
}

const traces = {
  IFD0: { Make: 'Nordljus', Model: 'N35', Artist: 'Demo Demosson', Copyright: 'itembridge examples' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '63/1 49/1 3300/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '20/1 15/1 4700/100',
  },
};

/** FNV-1a of the name, so that each file has its own light and angle, always the same. */
function seedOf(name: string): number {
  let hash = 2166136261;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return hash % 997;
}

function imageFiles(): ImageFile[] {
  return loadCatalogue().flatMap((item) =>
    (item.images ?? []).map((file) => {
      const [, base = '', view = '', format = ''] = /^(.+)-(\d)\.(jpg|png|webp)$/.exec(file) ?? [];
      if (base === '') throw new Error(`${item.externalId}: ${file} is not named <what>-<view>.<jpg|png|webp>`);
      return { file, base, view: Number(view), format, item };
    }),
  );
}

async function contactSheet(pictures: readonly Buffer[], file: string): Promise<void> {
  const columns = 8;
  const tiles = await Promise.all(
    pictures.map((picture) => sharp(picture).resize(240, 180).flatten({ background: '#ff00ff' }).toBuffer()),
  );
  const layers = tiles.map((input, index) => ({
    input,
    left: (index % columns) * 244,
    top: Math.floor(index / columns) * 184,
  }));
  const canvas = {
    width: columns * 244,
    height: Math.ceil(tiles.length / columns) * 184,
    channels: 3 as const,
    background: '#ffffff',
  };
  await sharp({ create: canvas }).composite(layers).png().toFile(file);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { sheet: { type: 'string' }, only: { type: 'string', default: '' } } });
  mkdirSync(imagesFolder, { recursive: true });
  const pictures: Buffer[] = [];
  for (const image of imageFiles().filter(({ file }) => file.startsWith(values.only))) {
    const picture = await drawImage(image);
    writeFileSync(join(imagesFolder, image.file), picture);
    pictures.push(picture);
  }
  const kilobytes = Math.round(pictures.reduce((sum, picture) => sum + picture.length, 0) / 1024);
  process.stdout.write(`${pictures.length} pictures, ${kilobytes} kB\n`);
  if (values.sheet !== undefined) await contactSheet(pictures, values.sheet);
}

await main();
