import type { PartnerAnalytics, RevenuePeriod } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useQuery } from '../../routing/use-query.ts';
import { useListAddress } from '../../shell/all-members.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Money } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { RevenueChart, usePartName, type RevenueUnit } from './revenue-chart.tsx';
import { differenceOf, type RevenuePart } from './revenue-series.ts';
import { overviewTexts } from './texts.ts';

type Period = NonNullable<PartnerAnalytics['period']>;

const periods = ['last_12_months', 'this_year', 'last_90_days', 'last_30_days'] as const satisfies RevenuePeriod[];

/** The period that the address asks for. */
export function usePeriod(): RevenuePeriod {
  const [{ period }] = useQuery();
  return periods.find((one) => one === period) ?? 'last_12_months';
}

/** Revenue of a period beside the one before, as a chart and a table. */
export function Revenue({ period }: { readonly period: Period }) {
  const t = useTexts(overviewTexts);
  const { name, unit, parts, total } = period;
  return (
    <Section title={t.revenue} lead={t.revenueLead} actions={<PeriodChoice />}>
      <Compared period={period} />
      {total.orders === 0 ? (
        <p class="muted">{t.noneInPeriod}</p>
      ) : (
        <Card>
          <RevenueChart key={name} parts={parts} unit={unit} />
          <details>
            <summary>{t.sameNumbers}</summary>
            <PartTable parts={parts} unit={unit} />
          </details>
        </Card>
      )}
    </Section>
  );
}

/** Before the first completed order. */
export function NoRevenue() {
  const t = useTexts(overviewTexts);
  const listOf = useListAddress();
  return (
    <Section title={t.revenue} lead={t.revenueLead}>
      <Empty title={t.noRevenue} actions={<LinkButton href={listOf('orders')}>{t.toOrders}</LinkButton>}>
        <p>{t.noRevenueText}</p>
      </Empty>
    </Section>
  );
}

function PeriodChoice() {
  const t = useTexts(overviewTexts);
  const period = usePeriod();
  const [, setQuery] = useQuery();
  return (
    <SelectField
      label={t.period}
      value={period}
      choices={periods.map((value) => ({ value, label: t.periods[value] }))}
      onChange={(value) => {
        setQuery({ period: value });
      }}
    />
  );
}

/** The sums of the period, and below each how it differs from the period before. */
function Compared({ period: { total, before } }: { readonly period: Period }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const orders = differenceOf(total.orders, before.orders);
  return (
    <>
      <dl class="overview-sums">
        {(['net', 'gross', 'fee'] as const).map((name) => {
          const { by, share } = differenceOf(total[name], before[name]);
          const now = format.money(total[name]);
          return <ComparedSum key={name} label={t[name]} now={now} by={format.signedMoney(by)} share={share} />;
        })}
        <ComparedSum
          label={t.orders}
          now={format.number(total.orders)}
          by={format.signed(orders.by)}
          share={orders.share}
        />
      </dl>
      <p class="small muted">{t.comparedWith(format.day(before.from), format.day(before.to))}</p>
    </>
  );
}

interface ComparedSumProps {
  readonly label: string;
  readonly now: string;
  readonly by: string;
  readonly share: number | undefined;
}

function ComparedSum({ label, now, by, share }: ComparedSumProps) {
  const format = useFormat();
  return (
    <div class="overview-sum">
      <dt>{label}</dt>
      <dd class="numbers">
        {now}
        <span class="small muted">
          {by}
          {share !== undefined && ` (${format.signedPercent(share)})`}
        </span>
      </dd>
    </div>
  );
}

/** Sums over all time. */
export function Summary({ summary }: { readonly summary: PartnerAnalytics['revenueSummary'] }) {
  const t = useTexts(overviewTexts);
  const listOf = useListAddress();
  const { totalGross, totalFee, totalNet, totalPending } = summary;
  return (
    <Section title={t.summary}>
      <dl class="overview-sums">
        <Sum label={t.totalNet} sek={totalNet} isMain />
        <Sum label={t.totalGross} sek={totalGross} />
        <Sum label={t.totalFee} sek={totalFee} />
        <Sum
          label={t.totalPending}
          sek={totalPending}
          href={listOf('orders', { status: 'pending' })}
          link={t.showPending}
        />
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

interface PartTableProps {
  readonly parts: readonly RevenuePart[];
  readonly unit: RevenueUnit;
}

/** Latest first. */
function PartTable({ parts, unit }: PartTableProps) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const nameOf = usePartName(unit);
  const columns: readonly Column<RevenuePart>[] = [
    { id: 'part', header: t.units[unit], isName: true, cell: (part) => nameOf(part, 'long') },
    { id: 'orders', header: t.orders, isNumber: true, cell: ({ orders }) => format.number(orders) },
    { id: 'gross', header: t.gross, isNumber: true, cell: ({ gross }) => <Money sek={gross} /> },
    { id: 'fee', header: t.fee, isNumber: true, cell: ({ fee }) => <Money sek={fee} /> },
    { id: 'net', header: t.net, isNumber: true, cell: ({ net }) => <Money sek={net} /> },
  ];
  return <Table caption={t.revenue} columns={columns} rows={[...parts].reverse()} idOf={({ begins }) => begins} />;
}
