import { useState } from 'preact/hooks';
import type { MyDeal } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Badge } from '../../ui/icon.tsx';
import { Money } from '../../ui/facts.tsx';
import { Pager } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { resellerTexts } from './texts.ts';

type Sums = NonNullable<MyDeal['commission']>;
type Row = Sums['members'][number];

/** Rows shown at first, and with each step further. */
const stepRows = 20;

/** The commission owed, in total and by member, the highest debt first, former members included. */
export function Commission({ commission }: { readonly commission: Sums }) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  // Not `usePages`: it keeps one page count for each address, and this page has a list in pages already.
  const [shown, setShown] = useState(stepRows);
  const rows = commission.members.slice(0, shown);
  const showMore = (): void => {
    setShown(shown + stepRows);
  };
  const columns = useColumns(t.owedSum);
  return (
    <Section title={t.owed} lead={t.owedLead}>
      {commission.orders === 0 ? (
        <p class="muted">{t.noSales}</p>
      ) : (
        <>
          <p>
            <strong>
              {t.owedSum}: <Money sek={commission.owed} />
            </strong>{' '}
            <span class="muted">
              ({t.sales} <Money sek={commission.sales} />, {format.number(commission.orders)} {t.orders.toLowerCase()})
            </span>
          </p>
          <Table caption={t.byMember} columns={columns} rows={rows} idOf={({ memberUserId }) => memberUserId} />
          <Pager pages={{ rows, hasMore: shown < commission.members.length, isLoadingMore: false, showMore }} />
        </>
      )}
    </Section>
  );
}

function useColumns(owedHeader: string): readonly Column<Row>[] {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  return [
    { id: 'member', header: t.member, isName: true, cell: (row) => <Who row={row} /> },
    { id: 'orders', header: t.orders, isNumber: true, cell: ({ orders }) => format.number(orders) },
    { id: 'sales', header: t.sales, isNumber: true, cell: ({ sales }) => <Money sek={sales} /> },
    { id: 'owed', header: owedHeader, isNumber: true, cell: ({ owed }) => <Money sek={owed} /> },
  ];
}

interface WaitingCommissionProps {
  readonly deal: MyDeal;
  readonly waiting: Sums['waiting'];
  readonly onConfirmed: () => void;
}

/** Direct sales above the sum of the agreement, by member, which the reseller confirms or lets be; nothing without any. */
export function WaitingCommission({ deal, waiting, onConfirmed }: WaitingCommissionProps) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  const [shown, setShown] = useState(stepRows);
  if (waiting.orders === 0) return null;
  const { directSalesMax } = deal;
  const rows = waiting.members.slice(0, shown);
  const showMore = (): void => {
    setShown(shown + stepRows);
  };
  const columns: readonly Column<Row>[] = [
    ...useColumns(t.waitingOwed),
    {
      id: 'actions',
      header: t.actions,
      isUnlabelled: true,
      cell: (row) => <Confirm row={row} onConfirmed={onConfirmed} />,
    },
  ];
  return (
    <Section
      title={t.waiting}
      lead={directSalesMax === null ? t.waitingLeadEnded : t.waitingLead(format.money(directSalesMax))}
    >
      <Table caption={t.waiting} columns={columns} rows={rows} idOf={({ memberUserId }) => memberUserId} />
      <Pager pages={{ rows, hasMore: shown < waiting.members.length, isLoadingMore: false, showMore }} />
    </Section>
  );
}

function Confirm({ row, onConfirmed }: { readonly row: Row; readonly onConfirmed: () => void }) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  const { memberUserId, memberName, orders, sales, owed } = row;
  const title = t.confirmOf(memberName ?? memberUserId.slice(0, 8));
  return (
    <ConfirmButton
      label={title}
      title={title}
      body={<p>{t.confirmText(format.money(sales), format.money(owed))}</p>}
      toast={t.confirmed}
      conflict={t.confirmConflict}
      onConfirm={async () => api.confirmCommission({ body: { memberUserId, orders, sales } })}
      onDone={onConfirmed}
    >
      {t.confirm}
    </ConfirmButton>
  );
}

function Who({ row: { memberUserId, memberName } }: { readonly row: Row }) {
  const t = useTexts(resellerTexts);
  if (memberName !== null) return <>{memberName}</>;
  return (
    <span class="row">
      <span class="code small">{memberUserId.slice(0, 8)}</span>
      <Badge tone="quiet">{t.hasLeft}</Badge>
    </span>
  );
}
