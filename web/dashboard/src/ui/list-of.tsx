import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';
import { Pager } from './pager.tsx';
import { Stale } from './stale.tsx';

interface ListOfProps<Row> {
  readonly pages: Pages<Row>;
  /** Drawn when there are no rows: an `Empty`. */
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

/** A list that comes in pages, in each of its states. */
export function ListOf<Row>({ pages, empty, children }: ListOfProps<Row>) {
  const { rows, error, reload } = pages;
  if (rows === undefined) return error === undefined ? <Loading /> : <ErrorNote error={error} onRetry={reload} />;
  return (
    <>
      <Stale error={error} onRetry={reload} />
      {rows.length === 0 ? empty : children(rows)}
      <Pager pages={pages} />
    </>
  );
}
