import { isComment, type ColumnWish, type Header } from '../../../../../client/files/columns.ts';
import { guessColumns } from '../../../../../client/files/guess-columns.ts';
import { findItemField, itemFieldTypes } from '../../../../../client/files/item-fields.ts';

/** The chosen field of a column. */
export interface ColumnChoice {
  readonly column: string;
  readonly index: number;
  /** Name of a field, such as `imageUrls.0`; '' leaves the column out. */
  readonly field: string;
}

/** A suggestion for each named column, from its name. A person checks it before anything is sent. */
export function suggestChoices({ names }: Header): readonly ColumnChoice[] {
  const guessed = new Map(Object.entries(guessColumns(names)).map(([field, column]) => [column, field]));
  return names.flatMap((column, index) => {
    // A mapping names columns, so of several with the same name only the first can be mapped.
    if (column === '' || isComment(column) || names.indexOf(column) !== index) return [];
    return [{ column, index, field: findItemField(column)?.name ?? guessed.get(column) ?? '' }];
  });
}

/** In the form that client/files takes. */
export function wishOf(choices: readonly ColumnChoice[], set: Readonly<Record<string, string>>): ColumnWish {
  const isFieldName = ({ column }: ColumnChoice): boolean => findItemField(column) !== undefined;
  return {
    map: Object.fromEntries(choices.filter(({ field }) => field !== '').map(({ field, column }) => [field, column])),
    set,
    leaveOut: choices.filter((choice) => choice.field === '' && isFieldName(choice)).map(({ column }) => column),
  };
}

/** An earlier column with the same field. */
export const rivalOf = (choices: readonly ColumnChoice[], { field, index }: ColumnChoice): string | undefined =>
  field === '' ? undefined : choices.find((other) => other.field === field && other.index < index)?.column;

/** Whether a column has the field `name`. */
export const isChosen = (choices: readonly ColumnChoice[], name: string): boolean =>
  choices.some(({ field }) => field === name);

const imageColumnsMax = 10;

/** Every field that a column may have. The fields of most files come first. */
export const fieldNames: readonly string[] = Object.keys(itemFieldTypes).flatMap((name) =>
  name === 'imageUrls' ? [name, ...Array.from({ length: imageColumnsMax }, (_, n) => `${name}.${n}`)] : [name],
);
