import { itemRows, openItemFile, type ItemFile } from '../../../../../client/files/item-file.ts';
import { chunksOf } from '../../api/chunks-of.ts';

/** A file that the person has picked, and its encoding. */
export interface PickedFile {
  readonly file: File;
  /** '' detects it. */
  readonly encoding: string;
  /** The line of the header; '' is the first one. */
  readonly headerLine: string;
  /** How many rows at the end are no items; '' is none. */
  readonly skipLast: string;
}

export interface OpenedFile {
  readonly content: ItemFile;
  /** Cells of the first rows, which show people what a column holds. Empty for JSON. */
  readonly samples: readonly (readonly string[])[];
}

/** Limited, because the lines made from the file are held in memory. */
export const bytesMax = 100_000_000;

const samplesMax = 3;

/** Throws FileProblem when the file can't be one of items. */
export async function openPicked({ file, encoding, headerLine, skipLast }: PickedFile): Promise<OpenedFile> {
  const content = await openItemFile(() => chunksOf(file.stream()), {
    encoding: encoding || undefined,
    headerLine: numberIn(headerLine),
    skipLast: numberIn(skipLast),
  });
  const samples: (readonly string[])[] = [];
  if (content.format === 'csv')
    for await (const { cells } of itemRows(content)) {
      samples.push(cells);
      if (samples.length >= samplesMax) break;
    }
  return { content, samples };
}

/** Undefined for a text that is no whole number above 0. */
export const numberIn = (text: string): number | undefined => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined);

/** All parts as one piece that can be sent or saved. */
export async function blobOf(parts: AsyncIterable<string | Uint8Array<ArrayBuffer>>, type: string): Promise<Blob> {
  const held: (string | Uint8Array<ArrayBuffer>)[] = [];
  for await (const part of parts) held.push(part);
  return new Blob(held, { type });
}
