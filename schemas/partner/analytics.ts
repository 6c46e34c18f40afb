import Type from 'typebox';
import { revenuePeriods, type RevenuePeriod } from '../../features/partner/rules/revenue-period.ts';
import { decimalNumber } from '../fields.ts';
import { oneOf, readQuery } from '../query.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const sek = (description: string) => decimalNumber({ description: `${description}, SEK` });

const revenue = {
  gross: sek('Orders completed in it'),
  fee: sek('Platform fee'),
  net: sek('Gross minus fee'),
  orders: count('Completed orders'),
};
const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });
const days = { from: day('Its first day in Europe/Stockholm, YYYY-MM-DD'), to: day('Its last day') };
const periodName = Type.Enum([...revenuePeriods], { $id: 'RevenuePeriod', description: 'A period that ends now' });

const periodSchema = Type.Object(
  {
    name: periodName,
    ...days,
    unit: Type.Enum(['month', 'day'], { $id: 'RevenueUnit', description: 'What its parts are' }),
    parts: Type.Array(
      Type.Object(
        { begins: day('Its first day, YYYY-MM-DD'), ...revenue },
        { $id: 'RevenuePart', description: 'A month or a day' },
      ),
      { description: 'Oldest first, those without orders too' },
    ),
    total: Type.Object(revenue, { $id: 'RevenueTotal', description: 'What the parts come to' }),
    before: Type.Object(
      { ...days, ...revenue },
      {
        $id: 'RevenueBefore',
        description:
          'The period before, to compare with: as many days, or the same months a year earlier, up to the same time of its last day',
      },
    ),
  },
  { $id: 'PeriodRevenue', description: 'Revenue of the period that was asked for' },
);

/** Source: specification "Partner analytics snapshot"; `period` is additional. */
export const analyticsSchema = Type.Object(
  {
    inventory: Type.Object(
      {
        total: count('All items, all statuses'),
        active: count('Live on the service or the marketplace'),
        draft: count('Received but not yet published'),
        sold: count('Completed sales'),
        archived: count('Deleted while linked to an active order'),
      },
      { $id: 'Inventory', description: 'Items by where they stand' },
    ),
    monthlyRevenue: Type.Array(
      Type.Object(
        {
          month: Type.String({
            pattern: '^\\d{4}-\\d{2}$',
            description: 'Calendar month in Europe/Stockholm, YYYY-MM',
          }),
          gross: sek('Orders completed in that month'),
          fee: sek('Platform fee'),
          net: sek('Gross minus fee'),
          orders: count('Completed orders'),
        },
        { $id: 'MonthlyRevenue', description: 'A calendar month' },
      ),
      { maxItems: 12, description: 'The last 12 months, oldest first, those without orders too' },
    ),
    categoryBreakdown: Type.Array(
      Type.Object(
        {
          category: Type.String({ description: "Name of the category that the item's domain gave at the sale" }),
          count: count('Completed orders'),
          revenue: sek('What they came to'),
        },
        { $id: 'CategoryRevenue', description: 'What was sold of a category' },
      ),
      { maxItems: 10, description: 'The 10 categories with the most revenue of all time, most first' },
    ),
    revenueSummary: Type.Object(
      {
        totalGross: sek('Completed orders'),
        totalFee: sek('Platform fee'),
        totalNet: sek('Gross minus fee'),
        totalPending: sek('Orders that are not paid yet'),
      },
      { $id: 'RevenueSummary', description: 'Of all time' },
    ),
    period: Type.Optional(periodSchema),
  },
  { $id: 'PartnerAnalytics' },
);

export const analyticsParameters = {
  period: {
    component: 'RevenuePeriodAsked',
    description: 'Adds `period`: the revenue of this period, by month or day, and of the one before',
    schema: periodName,
  },
};

/** Throws Refusal BAD_REQUEST. */
export const readAnalyticsQuery = (query: Readonly<Record<string, string>>): RevenuePeriod | undefined =>
  readQuery(query, { period: oneOf(revenuePeriods) }).period;

const measure = Type.Object(
  { used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }) },
  { $id: 'UsageMeasure', description: 'What is stored, and how much may be' },
);

export const usageSchema = Type.Object(
  {
    items: measure,
    images: measure,
    imageBytes: measure,
  },
  {
    $id: 'PartnerUsage',
    description:
      '`items` of all statuses; hosted `images`, each once however many items show it; `imageBytes` in both sizes',
  },
);
