import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { SelectField } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { deliveryTexts } from '../../webhooks/delivery-texts.ts';
import { eventTexts } from '../../webhooks/event-texts.ts';
import { deliveredTypes } from '../../webhooks/event-types.ts';
import { endpointName } from '../../webhooks/use-endpoints.ts';
import { deliveriesTexts } from './texts.ts';

interface DeliveryFiltersProps {
  /** undefined while they are loaded. */
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
