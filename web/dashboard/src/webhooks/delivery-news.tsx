import type { WebhookDelivery } from '../../../../client/generated/types.gen.ts';
import { api } from '../api/api.ts';
import { useResource } from '../api/use-resource.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { useLanguage } from '../i18n/language.ts';
import { ErrorNote, Notice, type NoticeTone } from '../ui/notice.tsx';
import { latestAttempt, outcomeOf, type DeliveryOutcome } from './delivery-outcome.ts';
import { tellDeliveryFailure } from '../words/delivery-failures.ts';
import { deliveryTexts } from './delivery-table.tsx';

interface DeliveryNewsProps {
  /** Id of the delivery that was just requested. */
  readonly deliveryId: string;
  /** Most attempts: one for a test, five otherwise. */
  readonly attemptsMax: number;
}

/** Short, because a person waits for the answer. */
const lookMs = 2_000;
const tones: Readonly<Record<DeliveryOutcome, NoticeTone>> = {
  'under-way': 'info',
  retried: 'wait',
  succeeded: 'ok',
  failed: 'bad',
};

const isOver = (outcome: DeliveryOutcome): boolean => outcome === 'succeeded' || outcome === 'failed';

/** Follows a delivery in the log until it succeeded or was given up. */
export function DeliveryNews({ deliveryId, attemptsMax }: DeliveryNewsProps) {
  const t = useTexts(deliveryTexts);
  const format = useFormat();
  const { data, error, reload } = useResource(
    async (signal) => (await api.listWebhookDeliveries({ query: { deliveryId }, signal })).data.deliveries,
    {
      on: [deliveryId],
      pollMs: (known) => (isOver(outcomeOf(known, attemptsMax)) ? undefined : lookMs),
    },
  );
  const attempts = data ?? [];
  const outcome = outcomeOf(attempts, attemptsMax);
  const latest = latestAttempt(attempts);
  const titles: Readonly<Record<DeliveryOutcome, string>> = {
    'under-way': t.underWay,
    retried: t.retried(format.number(latest?.attempt ?? 1)),
    succeeded: t.gotThrough,
    failed: t.didNot,
  };
  if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />;
  return (
    <Notice key={outcome} tone={tones[outcome]} title={titles[outcome]} isNews>
      {latest !== undefined && <AttemptNews attempt={latest} />}
    </Notice>
  );
}

function AttemptNews({ attempt: { id, httpStatus, durationMs, errorMessage } }: { readonly attempt: WebhookDelivery }) {
  const t = useTexts(deliveryTexts);
  const format = useFormat();
  const language = useLanguage();
  const answer = httpStatus === null ? [] : [t.status(String(httpStatus))];
  return (
    <>
      <p>{[...answer, t.tookMs(format.number(durationMs))].join(' · ')}</p>
      {errorMessage !== null && <p>{tellDeliveryFailure(errorMessage, language)}</p>}
      <p>
        <a href={`/dashboard/deliveries/${encodeURIComponent(id)}`}>{t.details}</a>
      </p>
    </>
  );
}
