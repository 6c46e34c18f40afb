import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One line of the catalogue: the item as the ERP knows it. Everything but the first three fields goes to the service as it stands. */
export interface CatalogueItem {
  readonly externalId: string;
  /** The reseller's reference of the member that owns the item; null: the reseller's own. */
  readonly account: string | null;
  /** File names in the images folder; the push turns them into addresses. */
  readonly images?: readonly string[];
  readonly title: string;
  readonly price: number;
  readonly autoPublishTradera?: boolean;
  readonly domain?: { readonly domain: string; readonly [attribute: string]: unknown };
  readonly [field: string]: unknown;
}

/** A push that the service must refuse, and how. */
export interface FaultyItem extends CatalogueItem {
  readonly expected: { readonly statusCode: number; readonly field: string | null };
}

export const catalogueFile = fileURLToPath(new URL('catalogue.ndjson', import.meta.url));
export const faultyFile = fileURLToPath(new URL('faulty.ndjson', import.meta.url));
export const imagesFolder = fileURLToPath(new URL('images/', import.meta.url));

/** Reads newline-delimited JSON. Throws with the line number when a line isn't an item. */
export function loadCatalogue(file: string = catalogueFile): CatalogueItem[] {
  return lines(file).map(({ content, number }) => {
    const value: unknown = JSON.parse(content);
    if (!isItem(value)) throw new Error(`${file}:${number} is not an item: externalId and account are needed`);
    return value;
  });
}

export function loadFaultyItems(): FaultyItem[] {
  return loadCatalogue(faultyFile).map((item) => {
    if (!isFaulty(item)) throw new Error(`${faultyFile}: ${item.externalId} does not say what is expected`);
    return item;
  });
}

function lines(file: string): { content: string; number: number }[] {
  const rows = readFileSync(file, 'utf8').split('\n');
  return rows.map((content, index) => ({ content, number: index + 1 })).filter(({ content }) => content.trim() !== '');
}

function isItem(value: unknown): value is CatalogueItem {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'externalId' in value &&
    typeof value.externalId === 'string' &&
    'account' in value &&
    (value.account === null || typeof value.account === 'string')
  );
}

function isFaulty(item: CatalogueItem): item is FaultyItem {
  const expected = item['expected'];
  return typeof expected === 'object' && expected !== null && 'statusCode' in expected && 'field' in expected;
}
