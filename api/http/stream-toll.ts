/** Of the rate limit, a call costs a point for each so many bytes of its body, after its Content-Encoding. */
export const bytesPerPoint = 64 * 1024;

/** Takes points of the caller's limit, and resolves when it has got them. */
export type Pay = (points: number) => Promise<void>;

/** A line costs us its reading and checking, however short it is: 256 lines are worth what 64 KB are. */
const bytesOfLine = 256;
const newline = 0x0a;

/** Has a streamed body paid for before it is read, piece by piece; its first point came with the call. */
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
