// Hosts copies of a file at the same time, each for an account of its own, and prints, as JSON, how they ended and the most memory
// that this process and its image processes ever held together.
//   host-images-process.ts FILE COPIES
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { openImageShop } from './image-shop.ts';
import { processTree, residentBytes } from './process-memory.ts';

const [file = '', copies = '1'] = process.argv.slice(2);
const shop = await openImageShop(readFileSync(file));
let peakBytes = 0;
const look = setInterval(() => {
  peakBytes = Math.max(peakBytes, residentBytes(processTree(process.pid).slice(1)));
}, 20);
const ends = await Promise.all(
  Array.from({ length: Number(copies) }, (_, n) =>
    shop.host(`account-${n}`).then(
      async ({ large }) => `${(await sharp(large).metadata()).width} px wide`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
  ),
);
clearInterval(look);
console.log(JSON.stringify({ ends, peakMegabytes: Math.round(peakBytes / 1_000_000) }));
await shop.close();
