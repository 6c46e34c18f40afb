import type { MemberConnection, MyDeal } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/icon.tsx';
import { Money } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { resellerTexts } from './texts.ts';

type Sums = NonNullable<MyDeal['commission']>;
type Row = Sums['members'][number];

interface CommissionProps {
  readonly commission: Sums;
  /** The present members, for their names; undefined while unknown. */
  readonly members: readonly MemberConnection[] | undefined;
}

/** The commission owed, in total and by member, former members included. */
export function Commission({ commission, members }: CommissionProps) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  const columns: readonly Column<Row>[] = [
    { id: 'member', header: t.member, isName: true, cell: (row) => <Who row={row} members={members} /> },
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
          <Table
            caption={t.byMember}
            columns={columns}
            rows={commission.members}
            idOf={({ memberUserId }) => memberUserId}
          />
        </>
      )}
    </Section>
  );
}

function Who({ row: { memberUserId }, members }: { readonly row: Row; readonly members: CommissionProps['members'] }) {
  const t = useTexts(resellerTexts);
  const member = members?.find((one) => one.memberUserId === memberUserId);
  if (member !== undefined) return <>{member.memberName}</>;
  return (
    <span class="row">
      <span class="code small">{memberUserId.slice(0, 8)}</span>
      {members !== undefined && <Badge tone="quiet">{t.hasLeft}</Badge>}
    </span>
  );
}
