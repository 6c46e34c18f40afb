import type { WebhookReceiverStatistics, WebhookStatistics } from '../../../../client/generated/types.gen.ts';
import { api } from '../api/api.ts';
import { restingMs } from '../api/use-polling.ts';
import { useResource, type Resource } from '../api/use-resource.ts';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/page.tsx';

export const figuresTexts = defineTexts({
  sv: {
    title: 'Leveranser i siffror',
    succeeded: 'Lyckade försök',
    share: (share: string, attempts: string) => `${share} av ${attempts}`,
    median: 'Svarstid, median',
    p95: 'Svarstid, p95',
    since: (attempts: string, time: string) =>
      `De ${attempts} senaste försöken, sedan ${time}. Svarstider gäller försök som fick svar.`,
    sevenDays: 'De senaste 7 dygnen. Svarstider gäller försök som fick svar.',
    ms: (ms: string) => `${ms} ms`,
  },
  en: {
    title: 'Delivery figures',
    succeeded: 'Successful attempts',
    share: (share: string, attempts: string) => `${share} of ${attempts}`,
    median: 'Response time, median',
    p95: 'Response time, p95',
    since: (attempts: string, time: string) =>
      `The latest ${attempts} attempts, since ${time}. Response times are for attempts that were answered.`,
    sevenDays: 'Last 7 days. Response times are for attempts that were answered.',
    ms: (ms: string) => `${ms} ms`,
  },
});

/** @param endpointId only of this receiver; `account` is the account-level URL */
export const useWebhookStatistics = (endpointId?: string): Resource<WebhookStatistics> =>
  useResource(
    async (signal) => {
      const query = endpointId === undefined ? {} : { endpointId };
      return (await api.getWebhookStatistics({ query, signal })).data;
    },
    { on: [endpointId], pollMs: restingMs },
  );

/** @param logId id of the endpoint, or `account` */
export const figuresOf = (
  statistics: WebhookStatistics | undefined,
  logId: string,
): WebhookReceiverStatistics | undefined =>
  statistics?.receivers.find(({ endpointId = 'account' }) => endpointId === logId);

/** How a receiver took its last attempts. Nothing is shown of one that had none. */
export function ReceiverFigures({ logId }: { readonly logId: string }) {
  const statistics = useWebhookStatistics(logId);
  return (
    <Loaded resource={statistics}>
      {(data) => {
        const figures = figuresOf(data, logId);
        return figures !== undefined && <Figures figures={figures} isWhole={figures.from === data.from} />;
      }}
    </Loaded>
  );
}

interface FiguresProps {
  readonly figures: WebhookReceiverStatistics;
  /** They are of the whole period, not of its end. */
  readonly isWhole: boolean;
}

function Figures({ figures, isWhole }: FiguresProps) {
  const t = useTexts(figuresTexts);
  const format = useFormat();
  const { attempts, successRate, medianMs, p95Ms, from } = figures;
  if (successRate === null) return null;
  const inMs = (value: number | null) => (value === null ? null : t.ms(format.number(value)));
  return (
    <Section title={t.title}>
      <Facts
        facts={[
          { label: t.succeeded, value: t.share(format.percent(successRate), format.number(attempts)) },
          { label: t.median, value: inMs(medianMs) },
          { label: t.p95, value: inMs(p95Ms) },
        ]}
      />
      <p class="muted small">{isWhole ? t.sevenDays : t.since(format.number(attempts), format.time(from))}</p>
    </Section>
  );
}
