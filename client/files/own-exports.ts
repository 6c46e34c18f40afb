import { csvLanguages, type CsvLanguage } from '../../features/rules/csv.ts';
import {
  archivedWords,
  cutLine,
  deliveryHeadings,
  itemHeadings,
  orderHeadings,
} from '../../features/rules/exported-files.ts';

/** A file that the dashboard has exported, perhaps with columns removed or added since. */
export type OwnExport =
  | {
      readonly of: 'items';
      /** The field of a heading; undefined for what only the service knows, and for headings of others. */
      readonly fieldOf: (name: string) => string | undefined;
      /** The heading says what only the service knows. */
      readonly isTold: (name: string) => boolean;
      /** Position of the column that says which items are archived; -1 without it. */
      readonly status: number;
    }
  | { readonly of: 'orders' | 'deliveries' };

/** Undefined for a header that is not of one of our files. */
export function ownExportOf(names: readonly string[]): OwnExport | undefined {
  for (const language of csvLanguages) {
    const found = inLanguage(names, language);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Headings = Readonly<Record<string, Readonly<Record<CsvLanguage, string>>>>;

function inLanguage(names: readonly string[], language: CsvLanguage): OwnExport | undefined {
  const has = ({ [language]: heading }: Readonly<Record<CsvLanguage, string>>): boolean => names.includes(heading);
  if (!has(itemHeadings.externalId)) return undefined;
  if (ownCount(orderHeadings, has) >= ownMin) return { of: 'orders' };
  if (ownCount(deliveryHeadings, has) >= ownMin) return { of: 'deliveries' };
  if (!has(itemHeadings.title) || !has(itemHeadings.price)) return undefined;
  const { externalId, title, price, domain, ...told } = itemHeadings;
  const fields: ReadonlyMap<string, string> = new Map(
    Object.entries({ externalId, title, price, domain }).map(([field, of]) => [of[language], field]),
  );
  const toldNames: ReadonlySet<string> = new Set(Object.values(told).map((of) => of[language]));
  return {
    of: 'items',
    fieldOf: (name) => fields.get(name),
    isTold: (name) => toldNames.has(name),
    status: names.indexOf(itemHeadings.status[language]),
  };
}

/** So many headings that a file of items does not have make another file. */
const ownMin = 3;

const ownCount = (headings: Headings, has: (heading: Headings[string]) => boolean): number =>
  Object.entries(headings).filter(([name, heading]) => !Object.hasOwn(itemHeadings, name) && has(heading)).length;

/** Whether a cell of the column of states says that the item is archived. */
export const isArchived = (cell: string): boolean => archivedWords.includes(cell.trim());

/** Whether a row is the last line of a file that could not hold all rows. */
export const isCutLine = (cells: readonly string[]): boolean =>
  Object.values(cutLine).includes(cells[0]?.trim() ?? '') && cells.slice(1).every((cell) => cell.trim() === '');
