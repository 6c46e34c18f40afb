import type { MyDeal } from '../../../../../client/generated/types.gen.ts';
import { usePages } from '../../api/use-pages.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/icon.tsx';
import { Money } from '../../ui/facts.tsx';
import { ListOf } from '../../ui/loaded.tsx';
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
  const members = usePages(
    async (cursor) => {
      const from = Number(cursor ?? 0);
      const end = from + stepRows;
      return {
        rows: commission.members.slice(from, end),
        nextCursor: end < commission.members.length ? String(end) : null,
      };
    },
    { idOf: ({ memberUserId }) => memberUserId, on: [commission] },
  );
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
          <ListOf pages={members} empty={null}>
            {(rows) => (
              <Table caption={t.byMember} columns={columns} rows={rows} idOf={({ memberUserId }) => memberUserId} />
            )}
          </ListOf>
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
