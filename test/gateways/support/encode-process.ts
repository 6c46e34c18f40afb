// Encodes copies of a file at the same time and prints, as JSON, how they ended and the most memory that this process ever held.
//   encode-process.ts FILE COPIES
import { readFileSync } from 'node:fs';
import { createSharpImageCodec } from '../../../gateways/image-codec/sharp-image-codec.ts';

const [file = '', copies = '1'] = process.argv.slice(2);
const bytes = readFileSync(file);
const codec = createSharpImageCodec();
// `resourceUsage().maxRSS` begins at what the parent held when it started this process.
let peakBytes = 0;
const look = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 5);
const ends = await Promise.all(
  Array.from({ length: Number(copies) }, () =>
    codec.encode(bytes).then(
      ({ widthPx }) => `${widthPx} px wide`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
  ),
);
clearInterval(look);
console.log(JSON.stringify({ ends, peakMegabytes: Math.round(peakBytes / 1_000_000) }));
