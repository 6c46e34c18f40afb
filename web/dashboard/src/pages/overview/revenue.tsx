import type { PartnerAnalytics } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Money } from '../../ui/facts.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { RevenueChart, useMonthName } from './revenue-chart.tsx';
import { hasRevenue, type RevenueMonth } from './revenue-series.ts';
import { overviewTexts } from './texts.ts';

/** Revenue by month, as a chart and a table. */
export function Revenue({ months }: { readonly months: readonly RevenueMonth[] }) {
  const t = useTexts(overviewTexts);
  return (
    <Section title={t.revenue} lead={t.revenueLead}>
      {hasRevenue(months) ? (
        <Card>
          <RevenueChart months={months} />
          <details>
            <summary>{t.sameNumbers}</summary>
            <MonthTable months={months} />
          </details>
        </Card>
      ) : (
        <Empty title={t.noRevenue} actions={<LinkButton href="/dashboard/orders">{t.toOrders}</LinkButton>}>
          <p>{t.noRevenueText}</p>
        </Empty>
      )}
    </Section>
  );
}

/** Sums over all time. */
export function Summary({ summary }: { readonly summary: PartnerAnalytics['revenueSummary'] }) {
  const t = useTexts(overviewTexts);
  const { totalGross, totalFee, totalNet, totalPending } = summary;
  return (
    <Section title={t.summary}>
      <dl class="overview-sums">
        <Sum label={t.totalNet} sek={totalNet} isMain />
        <Sum label={t.totalGross} sek={totalGross} />
        <Sum label={t.totalFee} sek={totalFee} />
        <Sum label={t.totalPending} sek={totalPending} href="/dashboard/orders?status=pending" link={t.showPending} />
      </dl>
    </Section>
  );
}

interface SumProps {
  readonly label: string;
  readonly sek: number;
  readonly isMain?: boolean;
  readonly href?: string;
  readonly link?: string;
}

function Sum({ label, sek, isMain = false, href, link }: SumProps) {
  return (
    <div class={isMain ? 'overview-sum overview-sum-main' : 'overview-sum'}>
      <dt>{label}</dt>
      <dd>
        <Money sek={sek} />
        {href !== undefined && sek > 0 && (
          <a class="small" href={href}>
            {link}
          </a>
        )}
      </dd>
    </div>
  );
}

/** Latest month first. */
function MonthTable({ months }: { readonly months: readonly RevenueMonth[] }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const monthName = useMonthName();
  const columns: readonly Column<RevenueMonth>[] = [
    { id: 'month', header: t.month, isName: true, cell: ({ month }) => monthName(month, 'long') },
    { id: 'orders', header: t.orders, isNumber: true, cell: ({ orders }) => format.number(orders) },
    { id: 'gross', header: t.gross, isNumber: true, cell: ({ gross }) => <Money sek={gross} /> },
    { id: 'fee', header: t.fee, isNumber: true, cell: ({ fee }) => <Money sek={fee} /> },
    { id: 'net', header: t.net, isNumber: true, cell: ({ net }) => <Money sek={net} /> },
  ];
  return <Table caption={t.revenue} columns={columns} rows={[...months].reverse()} idOf={({ month }) => month} />;
}
