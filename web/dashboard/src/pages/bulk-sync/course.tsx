import { useRef } from 'preact/hooks';
import type { BulkSync } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Card } from '../../ui/page.tsx';
import { addSample, doneOf, isOver, paceOf, type Pace, type Sample } from '../bulk-syncs/bulk-progress.ts';
import { BulkBar } from '../bulk-syncs/bulk-state.tsx';
import { bulkSyncTexts } from './texts.ts';
import { useDuration } from './use-duration.ts';
import './course.css';

/** Bar, pace and counts. */
export function Course({ bulk }: { readonly bulk: BulkSync }) {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  const { total, created, updated, unchanged, failed, warned, repeated, removed } = bulk;
  const counts = [
    { label: t.total, count: total },
    { label: t.created, count: created },
    { label: t.updated, count: updated },
    { label: t.unchanged, count: unchanged },
    { label: t.failed, count: failed },
    { label: t.warned, count: warned },
    ...(repeated > 0 ? [{ label: t.repeated, count: repeated }] : []),
    ...(bulk.mode === 'snapshot' ? [{ label: t.removed, count: removed }] : []),
    ...(bulk.state === 'cancelled' ? [{ label: t.notDone, count: total - doneOf(bulk) }] : []),
  ];
  return (
    <Card>
      <div class="bulk-course">
        <BulkBar bulk={bulk} />
      </div>
      <Speed bulk={bulk} />
      <dl class="bulk-counts">
        {counts.map(({ label, count }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="numbers">{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Speed({ bulk }: { readonly bulk: BulkSync }) {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  const duration = useDuration();
  const pace = usePace(bulk);
  if (isOver(bulk)) return null;
  if (bulk.state === 'cancelling') return <p>{t.cancelling}</p>;
  if (doneOf(bulk) >= bulk.total) return <p>{bulk.mode === 'snapshot' ? t.removing : t.finishing}</p>;
  if (pace === undefined) return <p class="muted">{t.measuring}</p>;
  const perSecond = format.number(Math.max(1, Math.round(pace.perSecond)));
  return <p class="numbers">{t.pace(perSecond, duration(pace.secondsLeft))}</p>;
}

/** From what was seen since the page was opened; at first from how long it has been going. */
function usePace(bulk: BulkSync): Pace | undefined {
  const samples = useRef<readonly Sample[]>([{ at: Date.parse(bulk.createdAt), done: 0 }]);
  const seen = useRef<BulkSync | undefined>(undefined);
  if (seen.current !== bulk) {
    seen.current = bulk;
    samples.current = addSample(samples.current, { at: Date.now(), done: doneOf(bulk) });
  }
  return paceOf(samples.current, bulk.total);
}
