// Encodes copies of a file at the same time and prints, as JSON, how they ended and the most memory that this process and its
// decoders ever held together.
//   encode-process.ts FILE COPIES
import { readFileSync } from 'node:fs';
import { createProcessImageCodec } from '../../../gateways/image-process/process-image-codec.ts';
import { processTree, residentBytes } from './process-memory.ts';

const [file = '', copies = '1'] = process.argv.slice(2);
const bytes = readFileSync(file);
const codec = createProcessImageCodec();
let peakBytes = 0;
const look = setInterval(() => {
  peakBytes = Math.max(peakBytes, residentBytes(processTree(process.pid)));
}, 20);
const ends = await Promise.all(
  Array.from({ length: Number(copies) }, (_, n) =>
    codec.encode(bytes, { account: `account-${n}` }).then(
      ({ widthPx }) => `${widthPx} px wide`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
  ),
);
clearInterval(look);
console.log(JSON.stringify({ ends, peakMegabytes: Math.round(peakBytes / 1_000_000) }));
await codec.close();
