import type { PartnerAnalytics } from '../../../../../client/generated/types.gen.ts';
import { useCategoryName } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Money } from '../../ui/money.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { shareOf } from './revenue-series.ts';
import { overviewTexts } from './texts.ts';

/** A table whose rows have a bar each: the numbers are the picture. */
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
