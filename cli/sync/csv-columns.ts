import { UsageError } from '../exit-codes.ts';
import { findItemField, itemFieldNames, type CellType, type ItemField } from './field-types.ts';

/** One column of the file; undefined for a column that is no field of an item. */
export type Column = ItemField | undefined;

export interface Columns {
  readonly columns: readonly Column[];
  /** Shown before the sync starts. */
  readonly warnings: readonly string[];
}

/** Throws {@link UsageError} when the header can't be one of items. */
export function readHeader(cells: readonly string[], line: number): Columns {
  const names = cells.map((cell) => cell.trim());
  const columns = names.map(findItemField);
  const paths = columns.filter((column) => column !== undefined).map(({ path }) => path.join('.'));
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw new UsageError(`The header (line ${line}) has the column ${twice} twice.`);
  refuseMixedImages(columns, line);
  const missing = ['externalId', 'title', 'price'].filter((name) => !paths.includes(name));
  if (missing.length > 0)
    throw new UsageError(`The header (line ${line}) has no column ${missing.join(', ')}. It has: ${names.join(' | ')}`);
  const unknown = names.filter((name, index) => columns[index] === undefined && name !== '').map(describeUnknown);
  const hasImages = paths.some((path) => path.startsWith('image'));
  return {
    columns,
    warnings: hasImages ? unknown : [...unknown, 'No column imageUrls: the items will have no images.'],
  };
}

/** Two forms would overwrite each other, or the service would see only one of them. */
function refuseMixedImages(columns: readonly Column[], line: number): void {
  const images = columns.filter((column) => column?.path[0]?.startsWith('image') === true);
  const kinds = new Set(images.map((column) => `${column?.path[0] ?? ''}${column?.path.length === 1 ? '' : '.0'}`));
  if (kinds.size <= 1) return;
  const found = [...kinds].join(' and ');
  throw new UsageError(`The header (line ${line}) names images in several ways (${found}): keep to one.`);
}

function describeUnknown(name: string): string {
  const near = itemFieldNames().find((known) => plain(known) === plain(name));
  const advice = near === undefined ? '' : ` Is it ${near}?`;
  return `Column "${name}" is no field of an item and is left out.${advice}`;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Builds the item of a row; empty cells are left out. Returns undefined for a row of empty cells. */
export function itemOfRow(cells: readonly string[], columns: readonly Column[]): Record<string, unknown> | undefined {
  const item = emptyRecord();
  let isEmpty = true;
  for (const [index, column] of columns.entries()) {
    // A trailing space in an id would create a second item.
    const text = (cells[index] ?? '').trim();
    if (text === '') continue;
    isEmpty = false;
    if (column !== undefined) put(item, column.path, valueOf(text, column.type));
  }
  if (isEmpty) return undefined;
  for (const [name, value] of Object.entries(item)) if (name.startsWith('image')) item[name] = inOrder(value);
  // Required, and an empty list means no images.
  if (!Object.keys(item).some((name) => name.startsWith('image'))) item['imageUrls'] = [];
  return item;
}

function put(item: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const child = item[name];
  const inner = isRecord(child) ? child : emptyRecord();
  item[name] = inner;
  put(inner, rest, value);
}

/** Orders addresses from separate columns by their numbers; gaps are closed. */
function inOrder(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .toSorted((one, other) => Number(one) - Number(other))
    .map((index) => value[index]);
}

/** What can't be converted stays text, so that the service names field and reason. */
function valueOf(text: string, type: CellType): unknown {
  switch (type) {
    case 'text':
      return text;
    case 'addresses':
      return text
        .split('|')
        .map((address) => address.trim())
        .filter((address) => address !== '');
    case 'number':
      return numberOf(text) ?? text;
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'ja', 'sant'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'nej', 'falskt'].map((word) => [word, false] as const),
]);

/**
 * Accepts `1499.50`, and the form of Swedish spreadsheets: `1 499,50`. A comma and a point together are ambiguous and refused. So
 * is one of them before three digits: `1,500` may mean 1500 or 1.5. An integer part of zero or of four digits is not ambiguous.
 */
function numberOf(text: string): number | undefined {
  const digits = text.replaceAll(/(?<=\d)[\s\u00A0\u202F](?=\d{3}(\D|$))/g, '');
  if (!/^-?\d+([.,]\d+)?$/.test(digits)) return undefined;
  if (digits === text && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) return undefined;
  return Number(digits.replace(',', '.'));
}

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- without a prototype, so that no key is special
const emptyRecord = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
