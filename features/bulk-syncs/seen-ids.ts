import { hash, randomUUID } from 'node:crypto';

/** 2 to the power of this exceeds the lines of any upload. */
const lineBits = 20;
const lineMask = 2 ** lineBits - 1;
/** Above this share a look-up would pass too many slots. A million lines just fit into 2 to the power of 20 slots. */
const fullest = 31 / 32;

/**
 * Finds the first line of an upload with an id, in 8 bytes a line: 44 bits of a hash and the line number. By chance, one in
 * 100,000 files of a million lines has a line wrongly reported as a repeat. Only a warning depends on it. The salt keeps a caller
 * from choosing ids that all fall into one slot.
 */
export function createSeenIds() {
  const salt = randomUUID();
  let slots = new Uint32Array(2 * 1_024);
  let count = 0;
  const grow = (): void => {
    const smaller = slots;
    slots = new Uint32Array(2 * smaller.length);
    for (let at = 0; at < smaller.length; at += 2) {
      const [high = 0, low = 0] = [smaller[at], smaller[at + 1]];
      if (low !== 0) place(slots, high, low);
    }
  };
  return {
    /** Returns undefined when no earlier line had the id. */
    firstLine: (id: string, line: number): number | undefined => {
      if (count >= (slots.length / 2) * fullest) grow();
      const first = place(slots, ...slotOf(salt + id, line));
      if (first === undefined) count += 1;
      return first;
    },
    /** The same, without keeping the id. */
    find: (id: string): number | undefined => (count === 0 ? undefined : look(slots, ...slotOf(salt + id, 0)).line),
  };
}

function slotOf(id: string, line: number): [high: number, low: number] {
  const digest = hash('sha1', id, 'buffer');
  return [digest.readUInt32LE(0), ((digest.readUInt32LE(4) & ~lineMask) | line) >>> 0];
}

/** Returns the line stored with the same hash; otherwise stores it in the next free slot. */
function place(slots: Uint32Array, high: number, low: number): number | undefined {
  const { line, slot } = look(slots, high, low);
  if (line === undefined) slots.set([high, low], 2 * slot);
  return line;
}

/** The line stored with the same hash, or the free slot where the search ended. */
function look(
  slots: Uint32Array,
  high: number,
  low: number,
): { readonly line: number | undefined; readonly slot: number } {
  const last = slots.length / 2 - 1;
  for (let slot = high & last; ; slot = (slot + 1) & last) {
    const found = slots[2 * slot + 1] ?? 0;
    if (found === 0) return { line: undefined, slot };
    if (slots[2 * slot] === high && (found & ~lineMask) === (low & ~lineMask)) return { line: found & lineMask, slot };
  }
}
