import { FileProblem } from './file-findings.ts';

/** The bytes of a file; each call starts at the beginning. */
export type ByteSource = () => AsyncIterable<Uint8Array>;

/** A label that TextDecoder knows. `isGuessed`: the file itself does not name it. */
export interface TextEncoding {
  readonly label: string;
  readonly isGuessed: boolean;
}

/** Throws {@link FileProblem} for an unknown label. */
export function requireEncoding(label: string): TextEncoding {
  return { label: newDecoder(label).encoding, isGuessed: false };
}

/**
 * The text without its byte order mark. Throws {@link FileProblem} with the line of the first bytes that do not fit the
 * encoding.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<string, void> {
  const decoder = newDecoder(label);
  const end = createEnd();
  const mend = decoder.encoding === 'windows-1252' ? withSigns : (text: string) => text;
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      const text = mend(decoder.decode(chunk, { stream: chunk !== undefined }));
      line += countNewlines(text);
      return end.take(text);
    } catch {
      throw new FileProblem({ kind: 'badBytes', encoding: decoder.encoding, line });
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  const rest = decode();
  if (rest !== '') yield rest;
}

/** Old programs end a text with Ctrl-Z, and fill the rest of its block with that or with NUL. */
const isPadding = (code: number): boolean => code === 0 || code === 0x1a;
const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** Where the padding at the end of a text begins; its length without any. */
function paddingStart(text: string): number {
  let start = text.length;
  for (let at = start - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (isPadding(code)) start = at;
    else if (!isBlank(code)) break;
  }
  return start;
}

/** Holds back what may be the padding behind a text; what is held at the end is dropped. */
function createEnd() {
  let held = '';
  return {
    take: (text: string): string => {
      const start = paddingStart(text);
      if (held !== '' && text.slice(0, start).trim() === '') {
        held += text;
        return '';
      }
      const whole = held + text.slice(0, start);
      held = text.slice(start);
      return whole;
    },
  };
}

/** The bytes without the padding at their end. */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.findLastIndex((byte) => !isPadding(byte) && !isBlank(byte)) + 1);
}

function newDecoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new FileProblem({ kind: 'unknownEncoding', encoding: label });
  }
}

/** Bytes 80 to 9F of Windows-1252. Node 22.19 decodes them as control characters, like ISO 8859-1. */
const signs =
  '\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178';

/** Corrects Node's decoding of Windows-1252. */
export const withSigns = (text: string): string =>
  text.replaceAll(/[\u0080-\u009F]/g, (control) => signs.charAt(control.charCodeAt(0) - 0x80));

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export interface TextLine {
  /** From 1; empty lines count. */
  readonly line: number;
  readonly text: string;
}

/**
 * The lines of a text without their line ends. Memory grows only with the longest line. A CR before an LF is not part
 * of a line.
 */
export async function* textLines(chunks: AsyncIterable<string>, newline: '\n' | '\r'): AsyncGenerator<TextLine, void> {
  let line = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split(newline);
    rest = parts.pop() ?? '';
    for (const text of parts) yield { line: (line += 1), text: text.replace(/\r$/, '') };
  }
  if (rest !== '') yield { line: line + 1, text: rest.replace(/\r$/, '') };
}
