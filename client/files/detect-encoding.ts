import { FileProblem, type ForeignFile } from './file-findings.ts';
import { requireEncoding, withoutPadding, withSigns, type ByteSource, type TextEncoding } from './text-encoding.ts';

/**
 * The encoding of a text file: by its byte order mark; UTF-16 by its zero bytes; UTF-8 when all of it is valid.
 * Otherwise it is Windows-1252, or Mac OS Roman where only CR ends lines, as Excel for Mac saves. `wished` is used
 * instead, unless there is a mark. Reads the file at most twice. Throws {@link FileProblem} when the file is no text,
 * mixes UTF-8 with another encoding, or has letters that none of these explains.
 */
export async function detectEncoding(bytes: ByteSource, wished?: string): Promise<TextEncoding> {
  const start = await startOf(bytes);
  const marked = byteOrderMarks.find(({ mark }) => startsWith(start, mark));
  if (marked !== undefined) return { label: marked.label, isGuessed: false };
  const what = foreignFile(start);
  if (what !== undefined) throw new FileProblem({ kind: 'notText', what });
  if (wished !== undefined) return requireEncoding(wished);
  const wide = wideLabel(start);
  if (wide !== undefined) return { label: wide, isGuessed: true };
  if (withoutPadding(start).includes(0)) throw new FileProblem({ kind: 'notText', what: 'binary' });
  if (await isUtf8(bytes)) return { label: 'utf-8', isGuessed: false };
  return { label: await singleByteLabel(bytes), isGuessed: true };
}

const byteOrderMarks = [
  { mark: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
];

const foreignStarts: readonly { readonly mark: readonly number[]; readonly what: ForeignFile }[] = [
  { mark: [0xd0, 0xcf, 0x11, 0xe0], what: 'xls' },
  { mark: [0x1f, 0x8b], what: 'gzip' },
  { mark: [0x25, 0x50, 0x44, 0x46], what: 'pdf' },
  { mark: [0x3c, 0x3f, 0x78, 0x6d, 0x6c], what: 'xml' },
];

const startBytes = 4_096;

async function startOf(bytes: ByteSource): Promise<Uint8Array> {
  const start = new Uint8Array(startBytes);
  let length = 0;
  for await (const chunk of bytes()) {
    const taken = chunk.subarray(0, startBytes - length);
    start.set(taken, length);
    length += taken.length;
    if (length === startBytes) break;
  }
  return start.subarray(0, length);
}

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte);

/** UTF-16 text without a mark has a zero in nearly every second byte. */
function wideLabel(start: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = start.length * 0.3;
  if (odd > most && even < odd / 10) return 'utf-16le';
  return even > most && odd < even / 10 ? 'utf-16be' : undefined;
}

function foreignFile(start: Uint8Array): ForeignFile | undefined {
  if (startsWith(start, [0x50, 0x4b])) return foreignZip(start);
  return foreignStarts.find(({ mark }) => startsWith(start, mark))?.what;
}

/** A workbook is a ZIP archive; the names of its first entries show its kind. */
function foreignZip(start: Uint8Array): ForeignFile {
  const names = new TextDecoder('latin1').decode(start);
  if (names.includes('opendocument')) return 'ods';
  return /\[Content_Types\]|xl\/|_rels\//.test(names) ? 'xlsx' : 'zip';
}

async function isUtf8(bytes: ByteSource): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes()) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Letters of Swedish and neighbouring languages, as Windows-1252 encodes them. */
const commonLetters = /[ÅÄÖåäöÉéÜüÆæØøÈèÀàÓóÁáÍíÇçÑñß]/g;
/** Signs of Windows-1252 that never stand between two letters. DOS code pages have å, ä and ö there. */
const oddPlaces =
  /[a-z][\u20AC\u201A\u201E\u2020\u2021\u2026\u201C\u201D\u2022\u02C6\u2030\u2122\u008D\u008F\u0090\u0081\u009D][a-z]/gi;

async function singleByteLabel(bytes: ByteSource): Promise<string> {
  const found = createTally();
  for await (const line of byteLines(bytes())) found.add(line);
  return found.label();
}

const [newline, carriageReturn] = [0x0a, 0x0d];

/** Counts what the lines of a file show about its encoding. */
function createTally() {
  let line = 0;
  let [utf8Line, otherLine, oddLine] = [0, 0, 0];
  let [common, odd] = [0, 0];
  let [hasNewline, hasReturn] = [false, false];

  function add(bytes: Uint8Array): void {
    line += 1;
    hasNewline ||= bytes.at(-1) === newline;
    hasReturn ||= bytes.includes(carriageReturn);
    if (bytes.every((byte) => byte < 0x80)) return;
    if (isValidUtf8(bytes)) utf8Line ||= line;
    else otherLine ||= line;
    const text = withSigns(new TextDecoder('windows-1252').decode(bytes));
    common += text.match(commonLetters)?.length ?? 0;
    odd += text.match(oddPlaces)?.length ?? 0;
    if (odd > 0) oddLine ||= line;
  }

  function label(): string {
    if (hasReturn && !hasNewline) return 'macintosh';
    if (utf8Line > 0) throw new FileProblem({ kind: 'mixedEncodings', utf8Line, otherLine });
    if (odd > common) throw new FileProblem({ kind: 'oddLetters', line: oddLine });
    return 'windows-1252';
  }

  return { add, label };
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A longer line is cut: a file without line ends would be a single line. */
const lineBytesMax = 1_000_000;

/** The lines with their line ends. */
async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let rest = new Uint8Array();
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield joined(rest, chunk.subarray(from, end + 1));
      rest = new Uint8Array();
      from = end + 1;
    }
    rest = joined(rest, chunk.subarray(from));
    if (rest.length > lineBytesMax) {
      yield rest;
      rest = new Uint8Array();
    }
  }
  if (rest.length > 0) yield rest;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
