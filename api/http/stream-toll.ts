/** A body costs one point of the rate limit per this many bytes, after decoding. */
export const bytesPerPoint = 64 * 1024;

/** Takes points of the caller's limit, and resolves when they are available. */
export type Pay = (points: number) => Promise<void>;

/** Reading and checking a line costs time however short it is: 256 lines cost as much as 64 KB. */
const bytesOfLine = 256;
const newline = 0x0a;

/** Charges a streamed body piece by piece before it is read; its first point was charged with the call. */
export function createToll(pay: Pay): (piece: Uint8Array) => Promise<void> {
  let cost = 0;
  let paid = 1;
  return async (piece) => {
    cost += piece.byteLength + bytesOfLine * linesIn(piece);
    const points = Math.ceil(cost / bytesPerPoint) - paid;
    if (points <= 0) return;
    paid += points;
    await pay(points);
  };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  for (const byte of piece) if (byte === newline) lines += 1;
  return lines;
}
