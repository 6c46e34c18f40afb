import { Seeded } from '../support/seeded.ts';
import { soundImages, type HostileImage } from './hostile-images.ts';
import { file } from './image-host.ts';

/** Sound pictures with some of their bytes changed, added or taken away. */
export async function mutatedImages(seed: number, count: number): Promise<HostileImage[]> {
  const sound = Object.entries(await soundImages());
  return Array.from({ length: count }, (_, number) => {
    const random = new Seeded(seed, 'image', number);
    const [name, bytes] = random.pick(sound);
    const answer = file(mutate(bytes, random));
    return { kind: 'mutated images', name: `${name} #${number}`, answer, outcome: 'either' };
  });
}

function mutate(bytes: Buffer, random: Seeded): Buffer {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random.below(8); left > 0; left -= 1) {
    // Heads and tables are at the beginning; elsewhere a byte only changes a pixel.
    const at = random.isLucky(0.6) ? random.below(Math.min(200, changed.length)) : random.below(changed.length);
    const kind = random.below(5);
    if (kind === 0)
      changed = Buffer.concat([changed.subarray(0, at), random.bytes(random.below(50)), changed.subarray(at)]);
    else if (kind === 1) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + random.below(50))]);
    else if (kind === 2) changed.fill(random.pick([0, 0xff, 0x7f, 0x80]), at, at + 1 + random.below(4));
    else if (kind === 3) changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    else changed[at] = random.below(256);
  }
  return changed;
}
