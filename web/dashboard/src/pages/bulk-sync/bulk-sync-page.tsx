import { useRef } from 'preact/hooks';
import type { BulkSync } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useParam } from '../../routing/router.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts, Time } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import {
  addSample,
  doneOf,
  isOver,
  paceOf,
  roundDuration,
  type Pace,
  type Sample,
} from '../bulk-syncs/bulk-progress.ts';
import { BulkBar, BulkStateBadge } from '../bulk-syncs/bulk-state.tsx';
import { LeftOutFields, LineRemarks } from '../send-file/check-notes.tsx';
import { BulkErrors } from './bulk-errors.tsx';
import './course.css';
import { bulkSyncTexts } from './texts.ts';

export function BulkSyncPage() {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  const id = useParam('id');
  const bulk = useResource(async (signal) => (await api.getPartnerBulkSync({ path: { id }, signal })).data, {
    pollMs: (known) => (isOver(known) ? undefined : watchedMs),
  });
  const { data } = bulk;
  return (
    <Page
      title={data === undefined ? t.title : t.titleAt(format.time(data.createdAt))}
      parent={{ href: '/dashboard/bulk-syncs', label: t.parent }}
      actions={<Cancel id={id} isOffered={data?.state === 'running'} onCancelled={bulk.reload} />}
    >
      <Loaded resource={bulk}>
        {(known) => (
          <>
            <Section title={t.progress}>
              <Course bulk={known} />
              <LineRemarks remarks={known.remarks} />
              <LeftOutFields leftOutFields={known.leftOutFields} lead={known.leftOut === 'keep' ? t.kept : t.emptied} />
            </Section>
            <BulkFacts bulk={known} />
            <BulkErrors bulk={known} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface CancelProps {
  readonly id: string;
  readonly isOffered: boolean;
  readonly onCancelled: () => void;
}

function Cancel({ id, isOffered, onCancelled }: CancelProps) {
  const t = useTexts(bulkSyncTexts);
  return (
    <ConfirmButton
      kind="danger"
      isOffered={isOffered}
      title={t.cancelTitle}
      confirm={t.yesCancel}
      body={<p>{t.cancelText}</p>}
      toast={t.cancelled}
      onConfirm={async () => api.cancelPartnerBulkSync({ path: { id } })}
      onDone={onCancelled}
    >
      {t.cancel}
    </ConfirmButton>
  );
}

function BulkFacts({ bulk }: { readonly bulk: BulkSync }) {
  const { id, state, stoppedBy, mode, createdAt, completedAt } = bulk;
  const t = useTexts(bulkSyncTexts);
  const duration = useDuration();
  return (
    <Facts
      facts={[
        { label: t.state, value: <BulkStateBadge bulk={bulk} /> },
        ...(stoppedBy === null ? [] : [{ label: t.stopped, value: t.stops[stoppedBy] }]),
        { label: t.mode, value: t.modes[mode] },
        { label: t.sent, value: <Time at={createdAt} /> },
        {
          label: state === 'cancelled' ? t.cancelledAt : t.ended,
          value: completedAt && <Time at={completedAt} />,
        },
        {
          label: t.took,
          value: completedAt && duration((Date.parse(completedAt) - Date.parse(createdAt)) / 1_000),
        },
        { label: t.id, value: <span class="code small">{id}</span> },
      ]}
    />
  );
}

/** Progress bar, pace and counts. */
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

/** From the samples since the page was opened; at first from the bulk sync's age. */
function usePace(bulk: BulkSync): Pace | undefined {
  const samples = useRef<readonly Sample[]>([{ at: Date.parse(bulk.createdAt), done: 0 }]);
  const seen = useRef<BulkSync | undefined>(undefined);
  if (seen.current !== bulk) {
    seen.current = bulk;
    samples.current = addSample(samples.current, { at: Date.now(), done: doneOf(bulk) });
  }
  return paceOf(samples.current, bulk.total);
}

/** `40 s`, `3 min` from seconds. */
export function useDuration(): (seconds: number) => string {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  return (seconds) => {
    const { unit, count } = roundDuration(seconds);
    return t[unit](format.number(count));
  };
}
