import Type from 'typebox';
import { decimalNumber } from '../fields.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const sek = (description: string) => decimalNumber({ description: `${description}, SEK` });

/** Source: specification "Partner analytics snapshot". */
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
  },
  { $id: 'PartnerAnalytics' },
);

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
