import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { FileFormat } from '../../client/files/item-file.ts';
import { UsageError } from '../exit-codes.ts';
import type { ReadingWish } from './sync-input.ts';

/** The values as commander parses them. */
export interface ReadingOptions {
  readonly format?: FileFormat;
  readonly encoding?: string;
  readonly map: readonly string[];
  readonly mapFile?: string;
  readonly set: readonly string[];
  readonly headerLine?: number;
  readonly skipLast?: number;
  /** Not an option of this group, but a snapshot has to be whole. */
  readonly snapshot?: boolean;
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** Adds the options that say how a file is read. */
export const addReadingOptions = (command: Command): Command =>
  command
    .addOption(new Option('--format <format>', 'when the content does not tell').choices(['csv', 'ndjson', 'json']))
    .option('--encoding <name>', 'such as windows-1252; found out by itself')
    .option('--map <field=column,…>', 'which columns of a CSV hold which fields; may be repeated', collect, [])
    .option('--map-file <file>', 'the same as a JSON object: {"title":"Benämning", …}')
    .option('--set <field=text,…>', 'fields that have the same text in every row; may be repeated', collect, [])
    .option('--header-line <number>', 'the line of a CSV on which the header is, below titles', wholeNumber)
    .option('--skip-last <number>', 'how many rows at the end of a CSV are no items, such as totals', wholeNumber);

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

/** Throws {@link UsageError} for a mapping that can't be read. */
export function readReadingOptions({ map, mapFile, set, ...options }: ReadingOptions): ReadingWish {
  const { format, encoding, headerLine, skipLast, snapshot } = options;
  return {
    format,
    encoding,
    headerLine,
    skipLast,
    isSnapshot: snapshot === true,
    map: { ...(mapFile === undefined ? {} : readMapFile(mapFile)), ...readPairs(map, '--map') },
    set: readPairs(set, '--set'),
  };
}

/** A comma separates two pairs only before a name and `=`, because names of columns may contain commas. */
const betweenPairs = /,(?=\s*[A-Za-z][\w.]*=)/;

function readPairs(texts: readonly string[], option: string): Record<string, string> {
  const pairs = texts.flatMap((text) => text.split(betweenPairs)).map((text) => readPair(text, option));
  const twice = pairs.find(([field], index) => pairs.findIndex(([other]) => other === field) !== index);
  if (twice !== undefined) throw new UsageError(`${option} names ${twice[0]} twice.`);
  return Object.fromEntries(pairs);
}

function readPair(text: string, option: string): readonly [string, string] {
  const at = text.indexOf('=');
  const [field, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || value === '')
    throw new UsageError(`${option} "${text}": write field=${option === '--map' ? 'column' : 'text'}.`);
  return [field, value];
}

function readMapFile(file: string): Record<string, string> {
  const map = parse(file);
  if (typeof map !== 'object' || map === null || Array.isArray(map)) throw noMap(file);
  return Object.fromEntries(
    Object.entries(map).map(([field, column]: [string, unknown]) => {
      if (typeof column !== 'string') throw noMap(file);
      return [field, column];
    }),
  );
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) throw noMap(file, error);
    throw new UsageError(`${file} can't be read.`, { cause: error });
  }
}

const noMap = (file: string, cause?: unknown): UsageError =>
  new UsageError(`${file} is no mapping: write {"title":"Benämning","price":"Pris"}.`, { cause });
