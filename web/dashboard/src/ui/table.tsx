import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.ts';
import './table.css';

export interface Column<Row> {
  readonly id: string;
  /** Shown above the column; on a phone before the value. */
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand under each other by their last digit. */
  readonly isNumber?: boolean;
  /** Names the row: its heading for screen readers, the first line of its card on a phone. One column. */
  readonly isName?: boolean;
  /** A picture or buttons: the heading is there for screen readers only. */
  readonly isUnlabelled?: boolean;
}

interface TableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
}

/** A table that becomes a list of cards on a phone. The roles are there because a table that is laid out otherwise loses them. */
export function Table<Row>({ caption, columns, rows, idOf }: TableProps<Row>) {
  return (
    <div class="table-frame">
      <table class="table" role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.id} scope="col" role="columnheader" class={classNames(column.isNumber && 'table-number')}>
                {column.isUnlabelled === true ? <span class="unseen">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={idOf(row)} role="row">
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
