import type { Pages } from '../api/use-pages.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { Button } from './button.tsx';
import { uiTexts } from './texts.ts';
import './pager.css';

/** Fewer are seen at a glance. */
const countedFrom = 20;

/** Below a list that comes in pages: how many are shown, and the next ones. */
export function Pager<Row>({ pages: { rows = [], hasMore, isLoadingMore, showMore } }: { readonly pages: Pages<Row> }) {
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
