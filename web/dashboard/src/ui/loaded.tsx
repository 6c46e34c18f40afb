import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import type { Resource } from '../api/use-resource.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { Button } from './button.tsx';
import { describeProblem } from './describe-problem.ts';
import './loading.css';
import { ErrorNote, Notice } from './notice.tsx';
import './pager.css';
import { uiTexts } from './texts.ts';

interface LoadedProps<Data> {
  readonly resource: Resource<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** Draws loaded data; before that, the loading state or the error. Loaded data stays when a later load fails. */
export function Loaded<Data>({ resource: { data, error, reload }, children }: LoadedProps<Data>) {
  if (data === undefined) return error === undefined ? <Loading /> : <ErrorNote error={error} onRetry={reload} />;
  return (
    <>
      <Stale error={error} onRetry={reload} />
      {children(data)}
    </>
  );
}

interface ListOfProps<Row> {
  readonly pages: Pages<Row>;
  /** Drawn when there are no rows: an `Empty`. */
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

/** A list in pages, in each of its states. */
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

/** Fewer rows need no count. */
const countedFrom = 20;

interface PagerProps<Row> {
  readonly pages: Pick<Pages<Row>, 'rows' | 'hasMore' | 'isLoadingMore' | 'showMore'>;
}

/** Below a list in pages: the number of shown rows, and a button for more. */
export function Pager<Row>({ pages: { rows = [], hasMore, isLoadingMore, showMore } }: PagerProps<Row>) {
  const t = useTexts(uiTexts);
  const format = useFormat();
  if (!hasMore && rows.length < countedFrom) return null;
  return (
    <div class="pager">
      <p class="muted small" aria-live="polite">
        {t.shown(format.number(rows.length))}
      </p>
      {hasMore && (
        <Button onClick={showMore} isPending={isLoadingMore}>
          {t.showMore}
        </Button>
      )}
    </div>
  );
}

interface StaleProps {
  /** Error of the last load; undefined draws nothing. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Above old data: it could not be updated. */
function Stale({ error, onRetry }: StaleProps) {
  const t = useTexts(uiTexts);
  if (error === undefined) return null;
  return (
    <Notice tone="wait" title={t.notUpToDate} isNews actions={<Button onClick={onRetry}>{t.retry}</Button>}>
      <p>{describeProblem(error).message}</p>
    </Notice>
  );
}

/** Appears only after a moment, because quick loads need no message. What stands below it waits with it. */
export function Loading() {
  const t = useTexts(uiTexts);
  return (
    <p class="loading" role="status">
      {t.loading}
    </p>
  );
}
