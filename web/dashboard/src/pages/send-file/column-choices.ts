import { isComment, type ColumnWish, type Header } from '../../../../../client/files/columns.ts';
import { guessColumns } from '../../../../../client/files/guess-columns.ts';
import { findItemField, itemFieldTypes } from '../../../../../client/files/item-fields.ts';

/** What a column of the file is to be. */
export interface ColumnChoice {
  readonly column: string;
  readonly index: number;
  /** Name of a field, `imageUrls.0` too; '' leaves the column out. */
  readonly field: string;
}

/** A choice for each column with a name of its own: by its name, or what it looks like. A person looks at it before anything is sent. */
export function suggestChoices({ names }: Header): readonly ColumnChoice[] {
  const guessed = new Map(Object.entries(guessColumns(names)).map(([field, column]) => [column, field]));
  return names.flatMap((column, index) => {
    // A mapping is by name: of several columns with the same one, only the first can be meant.
    if (column === '' || isComment(column) || names.indexOf(column) !== index) return [];
    return [{ column, index, field: findItemField(column)?.name ?? guessed.get(column) ?? '' }];
  });
}

/** As the reader of files takes them. */
export function wishOf(choices: readonly ColumnChoice[], set: Readonly<Record<string, string>>): ColumnWish {
  const isFieldName = ({ column }: ColumnChoice): boolean => findItemField(column) !== undefined;
  return {
    map: Object.fromEntries(choices.filter(({ field }) => field !== '').map(({ field, column }) => [field, column])),
    set,
    leaveOut: choices.filter((choice) => choice.field === '' && isFieldName(choice)).map(({ column }) => column),
  };
}

/** The column that was chosen for the same field before this one. */
export const rivalOf = (choices: readonly ColumnChoice[], { field, index }: ColumnChoice): string | undefined =>
  field === '' ? undefined : choices.find((other) => other.field === field && other.index < index)?.column;

/** `name` is a field that some column is to be. */
export const isChosen = (choices: readonly ColumnChoice[], name: string): boolean =>
  choices.some(({ field }) => field === name);

const imageColumnsMax = 10;

/** Every field that a column may be. The few that most files have come first. */
export const fieldNames: readonly string[] = Object.keys(itemFieldTypes).flatMap((name) =>
  name === 'imageUrls' ? [name, ...Array.from({ length: imageColumnsMax }, (_, n) => `${name}.${n}`)] : [name],
);
