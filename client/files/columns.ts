import { hasOtherSeparators, textOfCell, valueOf } from './cell-values.ts';
import { FileProblem, type ColumnMap, type FileRemark } from './file-findings.ts';
import { guessColumns } from './guess-columns.ts';
import { fieldLike, findItemField, requiredFields, type ItemField } from './item-fields.ts';
import { ownExportOf, type OwnExport } from './own-exports.ts';
import type { ReadingNotes } from './reading-notes.ts';

export interface Header {
  readonly line: number;
  /** Names of the columns ({@link columnName}); '' for a column without a name. */
  readonly names: readonly string[];
  /** Rows behind it, one of which may be the header if this is not. */
  readonly following?: readonly Omit<Header, 'following'>[];
}

/** A field of every item: from a cell of its row, or one text for all rows. */
export interface Column {
  readonly field: ItemField;
  readonly source: { readonly index: number; readonly name: string } | { readonly text: string };
}

export interface ColumnPlan {
  readonly columns: readonly Column[];
  readonly remarks: readonly FileRemark[];
  /** Position of the column that says which rows are of archived items; -1 when there is none. */
  readonly archived: number;
}

export interface ColumnWish {
  /** Field → column. A column that has a field's name needs no entry. */
  readonly map?: ColumnMap;
  /** Field → the text that it has in every row. */
  readonly set?: Readonly<Record<string, string>>;
  /** Columns to ignore although they have a field's name. */
  readonly leaveOut?: readonly string[];
}

/** The name that a cell of a header gives, as people read it: without what can't be seen, and on one line. */
export const columnName = (cell: string): string =>
  textOfCell(cell)
    .text.normalize('NFC')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Columns that we added to a file of errors. They are ignored when the file is sent again. */
export const isComment = (name: string): boolean => name.startsWith('#');

/** Which column holds which field. Throws {@link FileProblem} when header and mapping do not describe items. */
export function planColumns(header: Header, wish: ColumnWish = {}): ColumnPlan {
  try {
    return planOf(header, wish);
  } catch (error) {
    const below = header.following?.find((row) => isHeader(row, wish));
    if (!(error instanceof FileProblem) || below === undefined) throw error;
    throw new FileProblem({ kind: 'titleRow', line: header.line, header: below.line });
  }
}

type OwnItems = Extract<OwnExport, { of: 'items' }> | undefined;

function planOf(header: Header, wish: ColumnWish): ColumnPlan {
  const own = ownExportOf(header.names);
  if (own !== undefined && own.of !== 'items') throw new FileProblem({ kind: 'otherExport', of: own.of });
  const { map = {}, set = {} } = wish;
  const asked = [
    ...Object.entries(map).map(([field, column]) => mapped(field, column, header)),
    ...Object.entries(set).map(([field, text]) => ({ field: requireField(field), source: { text } })),
  ];
  const { columns: named, remarks } = namedColumns(header, wish, { asked, own });
  const columns = [...asked, ...named];
  requireSense(columns, header);
  const noImages: FileRemark[] = columns.some(({ field }) => isImage(field)) ? [] : [{ kind: 'noImages' }];
  return { columns, remarks: [...remarks, ...noImages], archived: own?.status ?? -1 };
}

/** The columns that have a field's name and were not asked for, and what is said about the others. */
function namedColumns(
  { names }: Header,
  { leaveOut = [] }: ColumnWish,
  { asked, own }: { readonly asked: readonly Column[]; readonly own: OwnItems },
): { readonly columns: readonly Column[]; readonly remarks: readonly FileRemark[] } {
  const chosen = new Set(asked.map(({ field }) => fieldKey(field)));
  const used = new Set(asked.flatMap(({ source }) => ('index' in source ? [source.index] : [])));
  const [columns, remarks, told]: [Column[], FileRemark[], string[]] = [[], [], []];
  for (const [index, name] of names.entries()) {
    if (used.has(index) || name === '' || isComment(name) || leaveOut.includes(name)) continue;
    const field = fieldOf(name, own);
    if (field !== undefined && !chosen.has(fieldKey(field))) columns.push({ field, source: { index, name } });
    else if (own?.isTold(name) === true) told.push(name);
    else remarks.push({ kind: 'columnLeftOut', column: name, near: field === undefined ? fieldLike(name) : undefined });
  }
  return { columns, remarks: told.length === 0 ? remarks : [...remarks, { kind: 'toldColumns', columns: told }] };
}

const fieldOf = (name: string, own: OwnItems): ItemField | undefined => findItemField(own?.fieldOf(name) ?? name);

/** Whether a row could be the header: it has the needed columns, or names that look like them. */
function isHeader(row: Header, wish: ColumnWish): boolean {
  try {
    planOf(row, wish);
    return true;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const { finding } = error;
    return finding.kind === 'columnsMissing' && finding.missing.every((name) => Object.hasOwn(finding.suggested, name));
  }
}

function mapped(name: string, column: string, { names }: Header): Column {
  const field = requireField(name);
  const wanted = columnName(column);
  const exact = names.indexOf(wanted);
  const index = exact === -1 ? names.findIndex((one) => one.toLowerCase() === wanted.toLowerCase()) : exact;
  if (index === -1) throw new FileProblem({ kind: 'noSuchColumn', column, field: name, header: names });
  return { field, source: { index, name: names[index] ?? '' } };
}

function requireField(name: string): ItemField {
  const field = findItemField(name.trim());
  if (field === undefined) throw new FileProblem({ kind: 'noSuchField', field: name, near: fieldLike(name) });
  return field;
}

function requireSense(columns: readonly Column[], header: Header): void {
  const { line, names } = header;
  const keys = columns.map(({ field }) => fieldKey(field));
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new FileProblem({ kind: 'fieldTwice', line, field: twice });
  // Two forms would overwrite each other, or the service would see only one of them.
  const images = columns.filter(({ field }) => isImage(field)).map(({ field: { path } }) => path);
  const kinds = [...new Set(images.map((path) => `${path[0] ?? ''}${path.length === 1 ? '' : '.0'}`))];
  if (kinds.length > 1) throw new FileProblem({ kind: 'imagesTwice', line, fields: kinds });
  const missing = requiredFields.filter((name) => !keys.includes(name));
  if (missing.length === 0) return;
  const guessed = Object.entries(guessColumns(names)).filter(([field]) => !keys.includes(field));
  throw new FileProblem({
    kind: 'columnsMissing',
    line,
    missing,
    suggested: Object.fromEntries(guessed),
    header: names.filter((name) => name !== '' && !isComment(name)),
  });
}

const fieldKey = ({ path }: ItemField): string => (path.join('.') === 'domain.domain' ? 'domain' : path.join('.'));

const isImage = ({ path }: ItemField): boolean => path[0]?.startsWith('image') === true;

/** Where a row stands, and where what is noticed in it is counted. */
export interface RowPlace {
  readonly line: number;
  readonly notes: ReadingNotes;
}

/** The item of a row; empty cells are left out. undefined when all cells are empty. */
export function itemOfRow(
  cells: readonly string[],
  columns: readonly Column[],
  { line, notes }: RowPlace,
): Record<string, unknown> | undefined {
  if (cells.every((cell) => cell.trim() === '')) return undefined;
  const item = emptyRecord();
  for (const { field, source } of columns) {
    const { text, isGuarded } =
      'text' in source ? { text: source.text, isGuarded: false } : textOfCell(cells[source.index] ?? '');
    if (isGuarded) notes.add('guardedCells', line);
    if (field.type === 'addresses' && hasOtherSeparators(text)) notes.add('severalAddresses', line);
    if (text !== '') put(item, field.path, valueOf(text, field.type));
  }
  for (const [name, value] of Object.entries(item)) if (name.startsWith('image')) item[name] = inOrder(value);
  // The list is required, and an empty one means no images.
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

/** The addresses of separate columns in the order of their numbers; gaps are closed. */
function inOrder(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .toSorted((one, other) => Number(one) - Number(other))
    .map((index) => value[index]);
}

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- without a prototype, so that no key is special
const emptyRecord = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
