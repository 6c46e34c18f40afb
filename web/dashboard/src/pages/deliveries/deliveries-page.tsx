import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { SearchField } from '../../ui/form.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SavedFilters } from '../../ui/saved-filters.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { DeliveryTable, deliveryTexts } from '../../webhooks/delivery-table.tsx';
import { endpointName, logPauseMs, useEndpoints } from '../../webhooks/endpoints.tsx';
import { eventTexts } from '../../webhooks/event-name.tsx';
import { deliveredTypes } from '../../webhooks/event-types.ts';
import { DeliveriesSelection } from './deliveries-selection.tsx';
import { deliveryQuery } from './delivery-query.ts';
import { deliveriesTexts } from './texts.ts';

/** Attempts per page. */
const limit = 50;
const noFilters = {
  endpointId: undefined,
  status: undefined,
  eventType: undefined,
  externalId: undefined,
  deliveryId: undefined,
  from: undefined,
  to: undefined,
};

export function DeliveriesPage() {
  const t = useTexts(deliveriesTexts);
  const [address, setQuery] = useQuery();
  const query = deliveryQuery(address);
  const endpoints = useEndpoints();
  const log = usePages(
    async (cursor, signal) => {
      const page = { ...query, limit, ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listWebhookDeliveries({ query: page, signal });
      return { rows: data.deliveries, nextCursor: data.nextCursor ?? null };
    },
    {
      idOf: ({ id }) => id,
      on: [query],
      pollMs: (list) => logPauseMs(list, Date.now()),
      shows: [{ kind: 'deliveries' }],
    },
  );
  const selection = useSelection((log.rows ?? []).map(({ id }) => id));
  const clear = (): void => {
    setQuery(noFilters);
  };
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <ExportButton
          name="webhook-deliveries"
          read={async (language) => api.exportWebhookDeliveries({ query: { ...query, language }, parseAs: 'stream' })}
        />
      }
    >
      <DeliveryFilters endpoints={endpoints.data} />
      <SavedFilters />
      {query.deliveryId !== undefined && (
        <Notice tone="info" actions={<Button onClick={clear}>{t.showAll}</Button>}>
          <p>{t.oneDelivery}</p>
        </Notice>
      )}
      <ListOf pages={log} empty={<NoDeliveries isFiltered={isFiltered} onClear={clear} />}>
        {(list) => <DeliveryTable deliveries={list} endpoints={endpoints.data} selection={selection} />}
      </ListOf>
      <DeliveriesSelection rows={log.rows ?? []} selection={selection} onDone={log.reload} />
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

interface DeliveryFiltersProps {
  /** undefined while they are being loaded. */
  readonly endpoints: readonly Webhook[] | undefined;
}

export function DeliveryFilters({ endpoints }: DeliveryFiltersProps) {
  const t = useTexts(deliveriesTexts);
  const words = useTexts(eventTexts);
  const [query, setQuery] = useQuery();
  const any = { value: '', label: t.any };
  return (
    <search class="filters" aria-label={t.filters}>
      <ReceiverChoice endpoints={endpoints} />
      <SelectField
        label={t.result}
        value={query['status'] ?? ''}
        choices={[any, { value: 'success', label: t.success }, { value: 'failed', label: t.failed }]}
        onChange={(status) => {
          setQuery({ status });
        }}
      />
      <SelectField
        label={t.event}
        value={query['eventType'] ?? ''}
        choices={[any, ...deliveredTypes.map((type) => ({ value: type, label: words[type] }))]}
        onChange={(eventType) => {
          setQuery({ eventType });
        }}
      />
      <SearchField
        label={t.item}
        value={query['externalId'] ?? ''}
        onSearch={(externalId) => {
          setQuery({ externalId: externalId.trim() });
        }}
      />
      <PeriodFilter />
    </search>
  );
}

function ReceiverChoice({ endpoints = [] }: { readonly endpoints: readonly Webhook[] | undefined }) {
  const t = useTexts(deliveriesTexts);
  const names = useTexts(deliveryTexts);
  const [{ endpointId = '' }, setQuery] = useQuery();
  const choices = [
    { value: '', label: t.any },
    { value: 'account', label: names.accountUrl },
    ...endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointName(endpoint) })),
  ];
  const isKnown = choices.some(({ value }) => value === endpointId);
  return (
    <SelectField
      label={t.receiver}
      value={endpointId}
      choices={isKnown ? choices : [...choices, { value: endpointId, label: t.removed }]}
      onChange={(value) => {
        setQuery({ endpointId: value });
      }}
    />
  );
}
