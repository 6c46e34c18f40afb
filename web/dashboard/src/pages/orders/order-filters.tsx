import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { AllMembersChoice } from '../../shell/all-members.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { isOrderStatus, orderStatuses, type OrderStatus } from './order-steps.ts';
import { beginningOf, endOf } from '../../period/stockholm-day.ts';
import { ordersTexts } from './texts.ts';

export interface OrderFilter {
  readonly status?: OrderStatus;
  readonly externalId?: string;
  /** ISO 8601 */
  readonly from?: string;
  readonly to?: string;
}

/** What the address asks for; what it can't mean is left out. */
export function useOrderFilter(): OrderFilter {
  const [{ status, externalId, from = '', to = '' }] = useQuery();
  const begin = beginningOf(from);
  const end = endOf(to);
  return {
    ...(isOrderStatus(status) && { status }),
    ...(externalId !== undefined && { externalId }),
    ...(begin !== undefined && { from: begin }),
    ...(end !== undefined && { to: end }),
  };
}

export const isFiltered = (filter: OrderFilter): boolean => Object.keys(filter).length > 0;

export const noFilter = { status: undefined, externalId: undefined, from: undefined, to: undefined };

const typingMs = 350;

export function OrderFilters() {
  const t = useTexts(ordersTexts);
  const [{ status, externalId = '' }, setQuery] = useQuery();
  const [typed, setTyped] = useState(externalId);
  useEffect(() => {
    setTyped(externalId);
  }, [externalId]);
  useEffect(() => {
    if (typed.trim() === externalId) return undefined;
    const timer = setTimeout(() => {
      setQuery({ externalId: typed.trim() });
    }, typingMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, externalId, setQuery]);
  return (
    <div class="filters">
      <AllMembersChoice />
      <SelectField
        label={t.status}
        value={isOrderStatus(status) ? status : ''}
        choices={[
          { value: '', label: t.allStatuses },
          ...orderStatuses.map((value) => ({ value, label: t.statuses[value] })),
        ]}
        onChange={(value) => {
          setQuery({ status: value });
        }}
      />
      <TextField label={t.itemFilter} type="search" value={typed} onInput={setTyped} lengthMax={255} isUnrequired />
      <PeriodFilter />
    </div>
  );
}
