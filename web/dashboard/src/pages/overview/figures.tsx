import type { PartnerAnalytics } from '../../../../../client/generated/types.gen.ts';
import { useCategoryName } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useListAddress } from '../../shell/all-members.tsx';
import { Money } from '../../ui/facts.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { shareOf } from './revenue-series.ts';
import { overviewTexts } from './texts.ts';

type Inventory = PartnerAnalytics['inventory'];

/**
 * The number of items in each state, each with a link to them. Archived ones are rare and shown only when there are
 * any.
 */
export function Figures({ inventory }: { readonly inventory: Inventory }) {
  const t = useTexts(overviewTexts);
  return (
    <Section title={t.inventory}>
      <ul class="overview-figures">
        <Figure label={t.total} count={inventory.total} />
        <Figure label={t.active} count={inventory.active} hint={t.activeHint} serviceStatus="active" />
        <Figure label={t.draft} count={inventory.draft} hint={t.draftHint} serviceStatus="draft" />
        <Figure label={t.sold} count={inventory.sold} hint={t.soldHint} serviceStatus="sold" />
        {inventory.archived > 0 && (
          <Figure label={t.archived} count={inventory.archived} hint={t.archivedHint} serviceStatus="archived" />
        )}
      </ul>
    </Section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly count: number;
  readonly hint?: string;
  readonly serviceStatus?: string;
}

function Figure({ label, count, hint, serviceStatus }: FigureProps) {
  const format = useFormat();
  const listOf = useListAddress();
  return (
    <li>
      <a class="overview-figure" href={listOf('items', serviceStatus === undefined ? {} : { serviceStatus })}>
        <span class="overview-figure-label">{label}</span>
        <span class="overview-figure-count numbers">{format.number(count)}</span>
        {hint !== undefined && <span class="small muted">{hint}</span>}
      </a>
    </li>
  );
}

/** A table with a bar in each row. */
export function Categories({ rows }: { readonly rows: PartnerAnalytics['categoryBreakdown'] }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const nameOf = useCategoryName();
  const largest = Math.max(0, ...rows.map(({ revenue }) => revenue));
  if (rows.length === 0)
    return (
      <Section title={t.categories}>
        <p class="muted">{t.noCategories}</p>
      </Section>
    );
  return (
    <Section title={t.categories} lead={t.categoriesLead}>
      <Card>
        <table class="overview-categories">
          <caption class="unseen">{t.categories}</caption>
          <thead>
            <tr>
              <th scope="col">{t.category}</th>
              <th scope="col" class="overview-number">
                {t.orders}
              </th>
              <th scope="col" class="overview-number">
                {t.revenueOf}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ category, count, revenue }) => (
              <tr key={category}>
                <th scope="row">
                  {nameOf(category)}
                  <span class="overview-bar" style={{ width: `${shareOf(revenue, largest) * 100}%` }} />
                </th>
                <td class="overview-number numbers">{format.number(count)}</td>
                <td class="overview-number">
                  <Money sek={revenue} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </Section>
  );
}
