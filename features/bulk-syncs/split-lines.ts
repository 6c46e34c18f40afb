import { Buffer, isUtf8 } from 'node:buffer';

/** A line that is not empty. `problem`: why its text is not available. */
export type RawLine = { readonly line: number } & (
  | { readonly text: string; readonly bytes: number }
  | { readonly problem: 'too-long' | 'not-utf-8' }
);

/** The lines completed by one piece of the body. */
export interface RawLines {
  readonly lines: readonly RawLine[];
  /** Lines so far, empty ones included. */
  readonly lineCount: number;
}

const newline = 0x0a;

/**
 * Cuts a body into lines, numbered from 1, with at most one line in memory. A line longer than `lineBytesMax` is not kept. A byte
 * order mark at the start and a carriage return at the end are not part of a line.
 */
export async function* splitLines(
  body: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
): AsyncGenerator<RawLines, void, undefined> {
  const splitter = createSplitter(lineBytesMax);
  for await (const chunk of body) {
    const lines = splitter.add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    yield { lines, lineCount: splitter.lineCount() };
  }
  yield { lines: splitter.end(), lineCount: splitter.lineCount() };
}

function createSplitter(lineBytesMax: number) {
  const begun = createHolder(lineBytesMax + lineEndBytesMax);
  let lineCount = 0;
  const take = (lines: RawLine[], end: Buffer): void => {
    lineCount += 1;
    const whole = begun.finish(end);
    const line = whole === null ? tooLong(lineCount) : readRaw(whole, lineCount, lineBytesMax);
    if (line !== null) lines.push(line);
  };
  return {
    lineCount: () => lineCount,
    add: (chunk: Buffer): RawLine[] => {
      const lines: RawLine[] = [];
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        take(lines, chunk.subarray(from, end));
        from = end + 1;
      }
      begun.add(chunk.subarray(from));
      return lines;
    },
    end: (): RawLine[] => {
      const lines: RawLine[] = [];
      if (!begun.isEmpty()) take(lines, Buffer.alloc(0));
      return lines;
    },
  };
}

/** A carriage return, and a byte order mark. */
const lineEndBytesMax = 4;

/** Holds an unfinished line in one growing buffer, so that many small pieces cost no more than a few large ones. */
function createHolder(bytesMax: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  const add = (piece: Buffer): void => {
    if (length + piece.length <= bytesMax) {
      if (length + piece.length > buffer.length) buffer = grown(buffer, length, length + piece.length);
      piece.copy(buffer, length);
    }
    length += piece.length;
  };
  return {
    add,
    isEmpty: () => length === 0,
    /** Returns the whole line, or null when it is too long, and starts the next one. */
    finish: (end: Buffer): Buffer | null => {
      if (length === 0) return end.length <= bytesMax ? end : null;
      add(end);
      const whole = length <= bytesMax ? Buffer.from(buffer.subarray(0, length)) : null;
      length = 0;
      return whole;
    },
  };
}

function grown(buffer: Buffer, length: number, wanted: number): Buffer<ArrayBuffer> {
  const next = Buffer.alloc(Math.max(wanted, 2 * buffer.length));
  buffer.copy(next, 0, 0, length);
  return next;
}

const tooLong = (line: number): RawLine => ({ line, problem: 'too-long' });

const blank = /^[ \t\r]*$/;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** null for an empty line. */
function readRaw(bytes: Buffer, line: number, lineBytesMax: number): RawLine | null {
  const start = line === 1 && bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const end = bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length;
  const own = bytes.subarray(start, end);
  if (own.length > lineBytesMax) return tooLong(line);
  if (!isUtf8(own)) return { line, problem: 'not-utf-8' };
  const text = own.toString('utf8');
  return blank.test(text) ? null : { line, text, bytes: own.length };
}
