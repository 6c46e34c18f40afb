import type { CellType } from './item-fields.ts';

/**
 * The value of a cell that is not empty. A text that can't be converted stays as it is, so that the service refuses the
 * line and names the field: see {@link isConvertible}.
 */
export function valueOf(text: string, type: CellType): unknown {
  switch (type) {
    case 'text':
      return text;
    case 'addresses':
      return text
        .split('|')
        .map((address) => address.trim())
        .filter((address) => address !== '');
    case 'shipping':
      return shippingOf(text) ?? text;
    case 'amount':
      return numberOf(withoutCurrency(text)) ?? text;
    case 'number':
      return numberOf(text) ?? text;
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text;
  }
}

/** Whether the text has one of the forms of the type. */
export const isConvertible = (text: string, type: CellType): boolean =>
  type === 'text' || type === 'addresses' || typeof valueOf(text, type) !== 'string';

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

/** `450 kr`, `SEK 450`, `450:-` and `450,-` are 450. */
const withoutCurrency = (text: string): string =>
  text
    .replace(/^(SEK|kr)\.?\s*/i, '')
    .replace(/((?<!\s)\s*(SEK|kr)\.?|[:,.]\s*[-–—])$/i, '')
    .trim();

/**
 * `1499.50`, also with a comma or with thousands separated: `1 499,50`, `1.499,50`, `1,499.50`, `1'499,50`,
 * `1.499.500`. A single comma or point before three digits may separate thousands or decimals and is refused: `1,500`
 * may mean 1500 or 1.5. After an integer part of zero, or of four digits, it can only be decimal.
 */
function numberOf(text: string): number | undefined {
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
