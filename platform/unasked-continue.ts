import type { Socket } from 'node:net';

const interim = Buffer.from('HTTP/1.1 1');
const headEnd = Buffer.from('\r\n\r\n');
const [zero, two, carriageReturn] = [0x30, 0x32, 0x0d];

/**
 * Makes a connection accept `100 Continue` although it was not asked for (RFC 9110, 15.2): old servers and some proxies send it.
 * undici breaks off at a 100 and passes over every other interim answer, so it is shown a 102 instead. It must have one request
 * at a time. Returns what must be called when a request begins, because only the head of an answer may be changed.
 */
export function acceptUnaskedContinue(socket: Socket): () => void {
  const push = socket.push.bind(socket);
  let heads = createHeads();
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk instanceof Uint8Array) heads.change(chunk);
    return push(chunk, encoding);
  };
  return () => {
    heads = createHeads();
  };
}

/** Changes each 100 to 102 until the first byte that does not belong to an interim answer. No byte is held back. */
function createHeads() {
  let isInterim = true;
  /** Bytes of this head, whether its status is 10x, and how much of its end was seen. */
  let [at, isTen, ended] = [0, false, 0];
  return {
    change(bytes: Uint8Array): void {
      for (let index = 0; isInterim && index < bytes.length; index += 1) {
        const byte = bytes[index];
        if (at < interim.length) isInterim = byte === interim[at];
        else if (at === interim.length) isTen = byte === zero;
        else if (at === interim.length + 1 && isTen && byte === zero) bytes[index] = two;
        ended = byte === headEnd[ended] ? ended + 1 : Number(byte === carriageReturn);
        at += 1;
        if (ended === headEnd.length) [at, ended] = [0, 0];
      }
    },
  };
}
