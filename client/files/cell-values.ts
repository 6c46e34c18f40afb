import { unguardText } from '../../features/rules/csv.ts';
import type { CellType } from './item-fields.ts';

export interface CellText {
  readonly text: string;
  /** An apostrophe that keeps spreadsheets from changing the text was taken off. */
  readonly isGuarded: boolean;
}

/**
 * The text of a cell without the blanks around it. `="0615"`, which keeps spreadsheets from making a number, is `0615`;
 * what an apostrophe guards (features/rules/csv.ts) is taken as it is, with its blanks.
 */
export function textOfCell(cell: string): CellText {
  const inner = unguardText(cell);
  if (inner !== cell && cell.startsWith("'")) return { text: inner, isGuarded: true };
  const trimmed = cell.trim();
  const quoted = /^="((?:[^"]|"")*)"$/.exec(trimmed)?.[1];
  if (quoted !== undefined) return { text: quoted.replaceAll('""', '"').trim(), isGuarded: false };
  const text = unguardText(trimmed);
  return { text, isGuarded: text !== trimmed };
}

/**
 * The value of a cell that is not empty. A text that can't be converted stays as it is, so that the service refuses the
 * line and names the field: see {@link isConvertible}.
 */
export function valueOf(text: string, type: CellType): unknown {
  switch (type) {
    case 'text':
      return text;
    case 'addresses':
      return addressesOf(text);
    case 'shipping':
      return shippingOf(text) ?? text;
    case 'amount':
      return amountOf(text.replace(/^'/, '')) ?? text;
    case 'number':
      return numberOf(text.replace(/^'/, '')) ?? text;
    case 'boolean':
      return booleans.get(text.replace(/^'/, '').toLowerCase()) ?? text;
  }
}

/** Whether the text has one of the forms of the type. */
export const isConvertible = (text: string, type: CellType): boolean =>
  type === 'text' || type === 'addresses' || typeof valueOf(text, type) !== 'string';

/** Besides `|`, shop systems separate addresses by commas, semicolons, blanks and `<br>`. */
const addressesOf = (text: string): string[] =>
  text
    .split(/\||(?:[\s,;，；、]|<br\s*\/?>)(?=https?:\/\/)/i)
    .map((address) => address.replaceAll(/^(?:[\s,;，；、]|<br\s*\/?>)+|(?:[\s,;，；、]|<br\s*\/?>)+$/gi, ''))
    .filter((address) => address !== '');

/** Whether a cell holds several addresses that something else than `|` separates. */
export const hasOtherSeparators = (text: string): boolean => /(?:[\s,;，；、]|<br\s*\/?>)https?:\/\//i.test(text);

/** A way to ship by the marketplace's numbers: an option, or a provider (a carrier) and perhaps its product. */
export interface ShippingWay {
  optionId?: number;
  providerId?: number;
  productId?: number;
  cost: number;
}

/** `8:0|p6:79|p1/12:95` means option 8 for nothing, provider 6 for 79 SEK, product 12 of provider 1 for 95; undefined for another form. */
export function shippingOf(text: string): ShippingWay[] | undefined {
  const ways = text.split('|').map((way) => /^\s*(p?)(\d{1,7})(?:\/(\d{1,7}))?\s*:\s*(\d{1,6})\s*$/i.exec(way));
  const read = ways.flatMap((parts) => (parts === null ? [] : (wayOf(parts) ?? [])));
  return read.length === ways.length ? read : undefined;
}

function wayOf([, provider, id, product, cost]: RegExpExecArray): ShippingWay | undefined {
  if (provider === '') return product === undefined ? { optionId: Number(id), cost: Number(cost) } : undefined;
  return { providerId: Number(id), ...(product !== undefined && { productId: Number(product) }), cost: Number(cost) };
}

/** The text that {@link shippingOf} reads. */
export const shippingText = (ways: readonly ShippingWay[]): string =>
  ways.map((way) => `${wayText(way)}:${String(way.cost)}`).join('|');

/** A way to ship without its cost: `8`, `p6`, `p1/12`. */
export const wayText = ({ optionId, providerId, productId }: Omit<ShippingWay, 'cost'>): string =>
  optionId === undefined
    ? `p${String(providerId ?? 0)}${productId === undefined ? '' : `/${String(productId)}`}`
    : String(optionId);

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'ja', 'sant'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'nej', 'falskt'].map((word) => [word, false] as const),
]);

/** `450:-`, `450,-` and `450.--` have no öre. */
const noOre = /[:,.]\s*[\p{Pd}\u2212]{1,2}$/u;

/** Also with `kr` or `SEK`. Behind a mark that there are no öre, one separator before three digits can mean thousands only. */
function amountOf(text: string): number | undefined {
  const plain = text
    .replace(/^(SEK|kr)\.?\s*/i, '')
    .replace(/(?<!\s)\s*(SEK|kr)\.?$/i, '')
    .trim();
  const end = plain.search(noOre);
  if (end < 0) return numberOf(plain);
  const whole = plain.slice(0, end).trimEnd();
  const isGrouped = /^-?\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/.test(whole);
  return isGrouped ? Number(whole.replaceAll(/[.,'’\s]/g, '')) : numberOf(whole);
}

/**
 * `1499.50`, also with a comma or with thousands separated: `1 499,50`, `1.499,50`, `1,499.50`, `1'499,50`,
 * `1.499.500`. A single comma or point before three digits may separate thousands or decimals and is refused: `1,500`
 * may mean 1500 or 1.5. After an integer part of zero, or of four digits, it can only be decimal.
 */
function numberOf(sent: string): number | undefined {
  const text = sent.replace(/^[\p{Pd}\u2212]/u, '-');
  const digits = text.replaceAll(/(?<=\d)[\s\u00A0\u202F'’](?=\d{3}(\D|$))/g, '');
  const plain = withoutThousands(digits);
  if (!/^-?\d+([.,]\d+)?$/.test(plain)) return undefined;
  if (plain === text && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(plain)) return undefined;
  return Number(plain.replace(',', '.'));
}

/** Points before a comma separate thousands, and commas before a point; several of one kind do, too. */
function withoutThousands(digits: string): string {
  if (/^-?\d{1,3}(\.\d{3})+,\d+$/.test(digits) || /^-?\d{1,3}(\.\d{3}){2,}$/.test(digits))
    return digits.replaceAll('.', '');
  if (/^-?\d{1,3}(,\d{3})+\.\d+$/.test(digits) || /^-?\d{1,3}(,\d{3}){2,}$/.test(digits))
    return digits.replaceAll(',', '');
  return digits;
}
