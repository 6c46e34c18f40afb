import type { ColumnWish } from '../../../client/files/columns.ts';
import { englishFindings, englishRemarks, tellFinding, tellRemark } from '../../../client/files/english.ts';
import { FileProblem } from '../../../client/files/file-findings.ts';
import { itemLines, openItemFile, type ItemFile, type OpenOptions } from '../../../client/files/item-file.ts';
import type { ByteSource } from '../../../client/files/text-encoding.ts';

/** A file in pieces of a few bytes, so that every form meets the end of a piece. */
export const bytesOf = (content: string | Uint8Array, pieceBytes = 7): ByteSource =>
  async function* () {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };

type Wish = ColumnWish & OpenOptions & { readonly pieceBytes?: number };

export const open = (content: string | Uint8Array, { pieceBytes, ...options }: Wish = {}): Promise<ItemFile> =>
  openItemFile(bytesOf(content, pieceBytes), options);

export interface Read {
  readonly remarks: readonly string[];
  /** What the rows have shown. */
  readonly noted: readonly string[];
  /** Items by the number of their line. */
  readonly items: Readonly<Record<number, Record<string, unknown>>>;
}

/** A file as the service would read its lines. */
export async function read(content: string | Uint8Array, wish: Wish = {}): Promise<Read> {
  const { remarks, noted, lines } = itemLines(await open(content, wish), wish);
  const chunks: Uint8Array[] = [];
  for await (const chunk of lines()) chunks.push(chunk);
  const texts = Buffer.concat(chunks).toString('utf8').split('\n');
  const found = texts.map((text, index) => [index + 1, text] as const).filter(([, text]) => text !== '');
  return {
    remarks: remarks.map((remark) => tellRemark(englishRemarks, remark)),
    noted: noted().map((remark) => tellRemark(englishRemarks, remark)),
    items: Object.fromEntries(found.map(([line, text]) => [line, JSON.parse(text) as Record<string, unknown>])),
  };
}

/** Why a file is refused, in English; '' when it is not. */
export async function whyRefused(content: string | Uint8Array, wish: Wish = {}): Promise<string> {
  try {
    await read(content, wish);
    return '';
  } catch (error) {
    if (error instanceof FileProblem) return tellFinding(englishFindings, error.finding);
    throw error;
  }
}
