import type { CsvLanguage, Webhook } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { AllMembersChoice, allMembersTexts, useAllMembers } from '../../shell/all-members.tsx';
import { MemberChoice } from '../../shell/member-choice.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { AddressSearch } from '../../ui/form.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SavedFilters } from '../../ui/saved-filters.tsx';
import { createdSorts, knownSort, sortOf, useSorting } from '../../ui/use-sorting.ts';
import { useSelection } from '../../ui/use-selection.ts';
import { DeliveryTable, deliveryTexts, type DeliveryRow } from '../../webhooks/delivery-table.tsx';
import { endpointName, useEndpoints } from '../../webhooks/endpoints.tsx';
import { eventTexts } from '../../webhooks/event-name.tsx';
import { deliveredTypes } from '../../webhooks/event-types.ts';
import { DeliveriesSelection } from './deliveries-selection.tsx';
import { deliveryQuery, membersDeliveryQuery } from './delivery-query.ts';
import { deliveriesTexts } from './texts.ts';

/** Attempts per page. */
const limit = 50;
const noFilters = {
  endpointId: undefined,
  status: undefined,
  eventType: undefined,
  externalId: undefined,
  deliveryId: undefined,
  member: undefined,
  from: undefined,
  to: undefined,
};

/** The log as the address asks for it. */
function useLog() {
  const [address] = useQuery();
  const isAll = useAllMembers();
  const sorting = useSorting('-created');
  const query = isAll ? membersDeliveryQuery(address) : deliveryQuery(address);
  const sort = sortOf(isAll ? undefined : knownSort(sorting, createdSorts));
  const pages = usePages<DeliveryRow>(
    async (cursor, signal) => {
      const page = { ...query, ...sort, limit, ...(cursor !== undefined && { cursor }) };
      const { data } = isAll
        ? await api.listMembersDeliveries({ query: page, signal })
        : await api.listWebhookDeliveries({ query: page, signal });
      return { rows: data.deliveries, nextCursor: data.nextCursor ?? null };
    },
    {
      idOf: ({ id }) => id,
      on: [query, sort, isAll],
      pollMs: watchedMs,
    },
  );
  return { pages, query: { ...query, ...sort }, isFiltered: Object.keys(query).length > 0, isAll, sorting };
}

export function DeliveriesPage() {
  const t = useTexts(deliveriesTexts);
  const [, setQuery] = useQuery();
  const { pages, query, isFiltered, isAll, sorting } = useLog();
  const endpoints = useEndpoints();
  const rows = pages.rows ?? [];
  const selection = useSelection(rows.map(({ id }) => id));
  const clear = (): void => {
    setQuery(noFilters);
  };
  const table = (list: readonly DeliveryRow[]) => (
    <DeliveryTable
      {...{ deliveries: list, endpoints: endpoints.data, selection }}
      sorting={isAll ? undefined : sorting}
    />
  );
  const write = async (language: CsvLanguage) =>
    api.exportWebhookDeliveries({ query: { ...query, language }, parseAs: 'stream' });
  return (
    <Page
      title={t.title}
      lead={isAll ? t.membersLead : t.lead}
      actions={!isAll && <ExportButton name="webhook-deliveries" read={write} />}
    >
      <DeliveryFilters endpoints={endpoints.data} />
      <SavedFilters />
      {'deliveryId' in query && (
        <Notice tone="info" actions={<Button onClick={clear}>{t.showAll}</Button>}>
          <p>{t.oneDelivery}</p>
        </Notice>
      )}
      <ListOf pages={pages} empty={<NoDeliveries isFiltered={isFiltered} onClear={clear} />}>
        {table}
      </ListOf>
      <DeliveriesSelection rows={rows} selection={selection} onDone={pages.reload} />
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
  const members = useTexts(allMembersTexts);
  const isAll = useAllMembers();
  const [query, setQuery] = useQuery();
  const any = { value: '', label: t.any };
  return (
    <search class="filters" aria-label={t.filters}>
      <AllMembersChoice one={t.allAttempts} />
      {isAll ? (
        <MemberChoice label={members.member} placeholder={members.all} />
      ) : (
        <ReceiverChoice endpoints={endpoints} />
      )}
      <SelectField
        label={t.result}
        value={query['status'] ?? ''}
        choices={[any, { value: 'success', label: t.success }, { value: 'failed', label: t.failed }]}
        onChange={(status) => {
          setQuery({ status });
        }}
      />
      {!isAll && (
        <SelectField
          label={t.event}
          value={query['eventType'] ?? ''}
          choices={[any, ...deliveredTypes.map((type) => ({ value: type, label: words[type] }))]}
          onChange={(eventType) => {
            setQuery({ eventType });
          }}
        />
      )}
      <AddressSearch name="externalId" label={t.item} />
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
