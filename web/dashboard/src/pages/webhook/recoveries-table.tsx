import type { WebhookRecovery } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellRecoveryStop } from '../../words/delivery-failures.ts';
import { webhookTexts } from './texts.ts';
import './recoveries-table.css';

const tones: Readonly<Record<WebhookRecovery['state'], Tone>> = { running: 'wait', finished: 'ok', stopped: 'bad' };

export function RecoveriesTable({ recoveries }: { readonly recoveries: readonly WebhookRecovery[] }) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const language = useLanguage();
  const columns: readonly Column<WebhookRecovery>[] = [
    { id: 'begun', header: t.begun, isName: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'kind', header: t.kind, cell: ({ kind }) => t.kinds[kind] },
    { id: 'since', header: t.sinceAt, cell: ({ since }) => <Time at={since} /> },
    {
      id: 'state',
      header: t.state,
      cell: ({ state, stoppedBecause }) => (
        <span>
          <Badge tone={tones[state]}>{t.states[state]}</Badge>
          {stoppedBecause !== null && <span class="small muted"> {tellRecoveryStop(stoppedBecause, language)}</span>}
        </span>
      ),
    },
    { id: 'progress', header: t.progress, isNumber: true, cell: (recovery) => <Progress recovery={recovery} /> },
    { id: 'failed', header: t.notTaken, isNumber: true, cell: ({ failed }) => format.number(failed) },
  ];
  return <Table caption={t.recoveries} columns={columns} rows={recoveries} idOf={({ id }) => id} />;
}

function Progress({ recovery: { state, sent, failed, total } }: { readonly recovery: WebhookRecovery }) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  return (
    <span class="recoveries-progress">
      {t.progressOf(format.number(sent), format.number(total))}
      {state === 'running' && total > 0 && (
        <progress max={total} value={Math.min(total, sent + failed)} aria-label={t.progress} />
      )}
    </span>
  );
}
