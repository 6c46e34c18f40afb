import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { beginningOf, endOf } from '../../period/stockholm-day.ts';
import { useQuery } from '../../routing/use-query.ts';
import { AllMembersChoice, allMembersTexts, useAllMembers } from '../../shell/all-members.tsx';
import { MemberChoice, memberQuery, useMember } from '../../shell/member-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SavedFilters } from '../../ui/saved-filters.tsx';
import { createdSorts, knownSort, sortOf, useSorting, type CreatedSort } from '../../ui/use-sorting.ts';
import { OrderDialog } from './order-dialog.tsx';
import { isOrderStatus, orderStatuses, type OrderStatus } from './order-fields.ts';
import { OrderTable, type OrderRow } from './order-table.tsx';
import { SaleDialog } from './sale-dialog.tsx';
import { ordersTexts } from './texts.ts';

/** `?order=ID` opens an order, `?sell=EXTERNAL_ID` the form for a sale of that item. */
export function OrdersPage() {
  const t = useTexts(ordersTexts);
  const [{ order: opened, sell }, setQuery] = useQuery();
  const [isSelling, setSelling] = useState(false);
  const filter = useOrderFilter();
  const isAll = useAllMembers();
  const member = useMember();
  const isOwn = !isAll && member === undefined;
  const words = useTexts(allMembersTexts);
  const sort = knownSort(useSorting(), createdSorts);
  const order = sortOf(isAll ? undefined : sort);
  const orders = useOrders({ ...filter, ...order }, { isAll, member });
  const startSelling = (): void => {
    setSelling(true);
  };
  const stopSelling = (): void => {
    setSelling(false);
    if (sell !== undefined) setQuery({ sell: undefined });
  };
  return (
    <Page
      title={t.title}
      lead={isAll ? words.sharedOnly : isOwn ? t.lead : t.memberLead}
      actions={
        isOwn && (
          <>
            <ExportButton
              name="orders"
              read={async (language) =>
                api.exportOrders({ query: { ...filter, ...order, language }, parseAs: 'stream' })
              }
            />
            <Button kind="primary" onClick={startSelling}>
              {t.recordSale}
            </Button>
          </>
        )
      }
    >
      <OrderFilters />
      <SavedFilters />
      <ListOf pages={orders} empty={<NoOrders isFiltered={isFiltered(filter)} isOwn={isOwn} onSell={startSelling} />}>
        {(rows) => <OrderTable rows={rows} />}
      </ListOf>
      {opened !== undefined && (
        <OrderDialog
          key={opened}
          id={opened}
          onChange={orders.reload}
          onClose={() => {
            setQuery({ order: undefined });
          }}
        />
      )}
      {isOwn && (isSelling || sell !== undefined) && (
        <SaleDialog externalId={sell ?? ''} onClose={stopSelling} onSold={orders.reload} />
      )}
    </Page>
  );
}

interface Whose {
  readonly isAll: boolean;
  readonly member: string | undefined;
}

function useOrders(filter: OrderFilter & { readonly sort?: CreatedSort }, { isAll, member }: Whose) {
  return usePages<OrderRow>(
    async (cursor, signal) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) };
      const { data } = isAll
        ? await api.listMembersOrders({ query, signal })
        : await api.listOrders({ query: { ...query, ...memberQuery(member) }, signal });
      return { rows: data.orders, nextCursor: data.nextCursor };
    },
    {
      idOf: ({ id }) => id,
      on: [filter, isAll, member],
      pollMs: watchedMs,
    },
  );
}

interface NoOrdersProps {
  readonly isFiltered: boolean;
  readonly isOwn: boolean;
  readonly onSell: () => void;
}

function NoOrders({ isFiltered: hasFilter, isOwn, onSell }: NoOrdersProps) {
  const t = useTexts(ordersTexts);
  const [, setQuery] = useQuery();
  const clear = (): void => {
    setQuery(noFilter);
  };
  if (hasFilter) return <Empty title={t.noneFound} actions={<Button onClick={clear}>{t.clear}</Button>} />;
  if (!isOwn) return <Empty title={t.none} />;
  return (
    <Empty title={t.none} actions={<Button onClick={onSell}>{t.recordSale}</Button>}>
      <p>{t.noneText}</p>
    </Empty>
  );
}

export interface OrderFilter {
  readonly status?: OrderStatus;
  readonly externalId?: string;
  /** ISO 8601 */
  readonly from?: string;
  readonly to?: string;
}

/** The filters in the address; invalid values are left out. */
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
  const [{ status, externalId = '', sort }, setQuery] = useQuery();
  const isAll = useAllMembers();
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
      {!isAll && <MemberChoice />}
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
      {!isAll && (
        <SelectField
          label={t.sortBy}
          value={sort === 'created' ? 'created' : ''}
          choices={[
            { value: '', label: t.latestFirst },
            { value: 'created', label: t.oldestFirst },
          ]}
          onChange={(value) => {
            setQuery({ sort: value });
          }}
        />
      )}
      <TextField label={t.itemFilter} type="search" value={typed} onInput={setTyped} lengthMax={255} isUnrequired />
      <PeriodFilter />
    </div>
  );
}
