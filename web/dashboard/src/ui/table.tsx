import type { ComponentChildren } from 'preact';
import { useTexts } from '../i18n/define-texts.ts';
import { classNames } from './class-names.ts';
import { tableTexts } from './table-texts.ts';
import { sortRows, type SortedColumn, type Sorting } from './use-sorting.ts';
import type { Selection } from './use-selection.ts';
import './table.css';

export interface Column<Row> extends SortedColumn<Row> {
  /** Above the column; on a phone before the value. */
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned at their last digit. */
  readonly isNumber?: boolean;
  /** Names the row: its heading for screen readers, and the first line of its card on a phone. One column has it. */
  readonly isName?: boolean;
  /** An image or buttons, whose heading is only for screen readers. */
  readonly isUnlabelled?: boolean;
}

interface TableProps<Row> {
  /** The content of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The order of the rows. Only with it are headings buttons. */
  readonly sorting?: Sorting | undefined;
  /** Rows can be chosen for actions on them. */
  readonly selection?: Selection | undefined;
  /** The name of a row next to its checkbox. */
  readonly nameOf?: (row: Row) => string;
}

/**
 * A table that becomes a list of cards in little space. It sets roles explicitly, because another layout would remove
 * those of a table.
 */
export function Table<Row>({ caption, columns, rows, idOf, sorting, selection, nameOf = idOf }: TableProps<Row>) {
  return (
    <div class="table-frame">
      <table class="table" role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection && <SelectAll selection={selection} ids={rows.map(idOf)} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sortRows(rows, columns, sorting).map((row) => (
            <tr key={idOf(row)} role="row" class={classNames(selection?.ids.has(idOf(row)) && 'table-chosen')}>
              {selection && <SelectRow selection={selection} id={idOf(row)} name={nameOf(row)} />}
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}

function Heading<Row>({ column: { id, header, isNumber, isUnlabelled, sort }, sorting }: HeadingProps<Row>) {
  const isSorting = sort !== undefined && sorting !== undefined;
  const order = sorting?.by !== id ? 'none' : sorting.isDescending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      role="columnheader"
      class={classNames(isNumber && 'table-number')}
      aria-sort={isSorting ? order : undefined}
    >
      {isSorting ? (
        <button
          type="button"
          class="table-sort"
          onClick={() => {
            sorting.sortBy(id, isNumber === true || sort === 'service');
          }}
        >
          {header}
          <span class="table-arrow" aria-hidden="true">
            {arrows[order]}
          </span>
        </button>
      ) : (
        <span class={classNames(isUnlabelled && 'unseen')}>{header}</span>
      )}
    </th>
  );
}

const arrows = { none: '↕', ascending: '↑', descending: '↓' } as const;

function SelectAll({ selection, ids }: { readonly selection: Selection; readonly ids: readonly string[] }) {
  const t = useTexts(tableTexts);
  const areAll = ids.length > 0 && ids.every((id) => selection.ids.has(id));
  return (
    <th scope="col" role="columnheader" class="table-select">
      <input
        type="checkbox"
        aria-label={t.selectAll}
        checked={areAll}
        onChange={() => {
          selection.set(areAll ? [] : ids);
        }}
      />
    </th>
  );
}

interface SelectRowProps {
  readonly selection: Selection;
  readonly id: string;
  readonly name: string;
}

function SelectRow({ selection: { ids, toggle }, id, name }: SelectRowProps) {
  const t = useTexts(tableTexts);
  return (
    <td role="cell" class="table-select">
      <input
        type="checkbox"
        aria-label={t.select(name)}
        checked={ids.has(id)}
        onChange={() => {
          toggle(id);
        }}
      />
    </td>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { header, isNumber, isName, isUnlabelled, cell } = column;
  const look = classNames(isNumber && 'table-number', isName && 'table-name', isUnlabelled && 'table-unlabelled');
  if (isName === true)
    return (
      <th scope="row" role="rowheader" class={look}>
        {cell(row)}
      </th>
    );
  return (
    <td role="cell" class={look} data-label={header}>
      {cell(row)}
    </td>
  );
}
