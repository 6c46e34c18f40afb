import { api } from '../../api/api.ts';
import { movingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { DeliveryTable } from '../../webhooks/delivery-table.tsx';
import { logPauseMs } from '../../webhooks/log-pause.ts';
import { useEndpoints } from '../../webhooks/use-endpoints.ts';
import type { Target } from './target.ts';
import { webhookTexts } from './texts.ts';

const shownMax = 8;
/** So soon a test is in the log. */
const testShowsMs = 30_000;

interface RecentDeliveriesProps {
  readonly target: Target;
  /** When a test was sent last, in milliseconds since 1970; 0: none was. */
  readonly testedAt: number;
}

export function RecentDeliveries({ target: { logId }, testedAt }: RecentDeliveriesProps) {
  const t = useTexts(webhookTexts);
  const endpoints = useEndpoints();
  const log = useResource(
    async (signal) => (await api.listWebhookDeliveries({ query: { endpointId: logId }, signal })).data.deliveries,
    {
      on: [logId],
      pollMs: (list) => (Date.now() - testedAt < testShowsMs ? movingMs : logPauseMs(list, Date.now())),
      shows: [{ kind: 'deliveries' }],
    },
  );
  return (
    <Section
      title={t.recent}
      actions={
        <LinkButton href={`/dashboard/deliveries?endpointId=${encodeURIComponent(logId)}`}>
          {t.allDeliveries}
        </LinkButton>
      }
    >
      <Loaded resource={log}>
        {(list) =>
          list.length === 0 ? (
            <p class="muted">{t.noDeliveries}</p>
          ) : (
            <DeliveryTable deliveries={list.slice(0, shownMax)} endpoints={endpoints.data} isOfOneEndpoint />
          )
        }
      </Loaded>
    </Section>
  );
}
