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
  /** Drawn while it is loading, in the size of what comes. */
  readonly skeleton?: ComponentChildren;
}

/** Draws what was loaded; before that that it is loading, or why it could not be. What is there stays when a later look fails. */
export function Loaded<Data>({ resource: { data, error, reload }, children, skeleton }: LoadedProps<Data>) {
  if (data === undefined)
    return error === undefined ? (skeleton ?? <Loading />) : <ErrorNote error={error} onRetry={reload} />;
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

/** Fewer are seen at a glance. */
const countedFrom = 20;

/** Below a list that comes in pages: how many are shown, and the next ones. */
function Pager<Row>({ pages: { rows = [], hasMore, isLoadingMore, showMore } }: { readonly pages: Pages<Row> }) {
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
  /** Why the last look failed; undefined draws nothing. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Above what was there before: it could not be brought up to date. */
function Stale({ error, onRetry }: StaleProps) {
  const t = useTexts(uiTexts);
  if (error === undefined) return null;
  return (
    <Notice tone="wait" title={t.notUpToDate} isNews actions={<Button onClick={onRetry}>{t.retry}</Button>}>
      <p>{describeProblem(error).message}</p>
    </Notice>
  );
}

/** Shows itself only after a moment: what comes at once needs no word. */
export function Loading() {
  const t = useTexts(uiTexts);
  return (
    <p class="loading" role="status">
      {t.loading}
    </p>
  );
}
