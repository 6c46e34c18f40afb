import { api } from '../../api/api.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { DeliveryTable } from '../../webhooks/delivery-table.tsx';
import { logPauseMs } from '../../webhooks/log-pause.ts';
import { useEndpoints } from '../../webhooks/use-endpoints.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { deliveryQuery } from './delivery-query.ts';
import { deliveriesTexts } from './texts.ts';

/** The log answers so many at once, and has no further pages. */
const logMax = 100;
const noFilters = {
  endpointId: undefined,
  status: undefined,
  eventType: undefined,
  externalId: undefined,
  deliveryId: undefined,
};

export function DeliveriesPage() {
  const t = useTexts(deliveriesTexts);
  const format = useFormat();
  const [address, setQuery] = useQuery();
  const query = deliveryQuery(address);
  const endpoints = useEndpoints();
  const log = useResource(async (signal) => (await api.listWebhookDeliveries({ query, signal })).data.deliveries, {
    on: [query],
    pollMs: (list) => logPauseMs(list, Date.now()),
  });
  const clear = (): void => {
    setQuery(noFilters);
  };
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page title={t.title} lead={t.lead}>
      <DeliveryFilters endpoints={endpoints.data} />
      {query.deliveryId !== undefined && (
        <Notice tone="info" actions={<Button onClick={clear}>{t.showAll}</Button>}>
          <p>{t.oneDelivery}</p>
        </Notice>
      )}
      <Loaded resource={log}>
        {(list) =>
          list.length === 0 ? (
            <NoDeliveries isFiltered={isFiltered} onClear={clear} />
          ) : (
            <>
              <DeliveryTable deliveries={list} endpoints={endpoints.data} />
              {list.length >= logMax && <p class="muted small">{t.newest(format.number(list.length))}</p>}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

interface NoDeliveriesProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoDeliveries({ isFiltered, onClear }: NoDeliveriesProps) {
  const t = useTexts(deliveriesTexts);
  if (isFiltered)
    return (
      <Empty title={t.noMatch} actions={<Button onClick={onClear}>{t.clear}</Button>}>
        <p>{t.noMatchLead}</p>
      </Empty>
    );
  return (
    <Empty title={t.none} actions={<LinkButton href="/dashboard/webhooks">{t.toWebhooks}</LinkButton>}>
      <p>{t.noneLead}</p>
    </Empty>
  );
}
