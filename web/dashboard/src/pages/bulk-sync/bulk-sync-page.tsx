import type { BulkSync } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { movingMs, restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useParam } from '../../routing/router.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { isOver } from '../bulk-syncs/bulk-progress.ts';
import { BulkStateBadge } from '../bulk-syncs/bulk-state.tsx';
import { BulkErrors } from './bulk-errors.tsx';
import { Course } from './course.tsx';
import { bulkSyncTexts } from './texts.ts';
import { useDuration } from './use-duration.ts';

export function BulkSyncPage() {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  const id = useParam('id');
  const bulk = useResource(async (signal) => (await api.getPartnerBulkSync({ path: { id }, signal })).data, {
    pollMs: (known) => (isOver(known) ? restingMs : movingMs),
    shows: [{ kind: 'bulkSyncs', id }],
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
