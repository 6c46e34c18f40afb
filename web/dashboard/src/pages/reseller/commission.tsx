import { useState } from 'preact/hooks';
import type { MyDeal } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
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
  const columns: readonly Column<Row>[] = [
    { id: 'member', header: t.member, isName: true, cell: (row) => <Who row={row} /> },
    { id: 'orders', header: t.orders, isNumber: true, cell: ({ orders }) => format.number(orders) },
    { id: 'sales', header: t.sales, isNumber: true, cell: ({ sales }) => <Money sek={sales} /> },
    { id: 'owed', header: t.owedSum, isNumber: true, cell: ({ owed }) => <Money sek={owed} /> },
  ];
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
