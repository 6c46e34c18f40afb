import { Configuration, ConditionGrade, ErrorBodyFromJSON, ItemsApi, ItemView, ResponseError } from './client/index';

// The story of README.md with what openapi-generator makes for TypeScript.

declare const process: { readonly env: Record<string, string> };
const { ITEMBRIDGE_URL: basePath = '', ITEMBRIDGE_API_KEY: apiKey = '' } = process.env;
const api = new ItemsApi(new Configuration({ basePath, apiKey }));

const domain = { domain: 'auto_parts' as const, conditionGrade: ConditionGrade.A_STAR };
const created = await api.upsertItem({
  externalId: 'CHECK-1',
  itemRequest: { title: 'Strålkastare Volvo V70', price: 149999.99, imageUrls: [], domain },
});
await api.upsertItem({
  externalId: 'CHECK-2',
  itemRequest: { title: 'Emaljkanna, blå', price: 149.5, imageUrls: [] },
});

const item = await api.getItem({ externalId: 'CHECK-1', view: ItemView.Full });

const wrong = { title: 'Backspegel', price: 149.999, imageUrls: ['http://images.example.com/1.jpg'] };
const refusal = await api.upsertItem({ externalId: 'CHECK-3', itemRequest: wrong }).then(
  () => Promise.reject(new Error('the wrong item was taken')),
  (error: unknown) => (error instanceof ResponseError ? error.response : Promise.reject(error)),
);
const refused = ErrorBodyFromJSON(await refusal.json());

const listed: string[] = [];
let cursor: string | undefined;
do {
  const page = await api.listItems(cursor === undefined ? { limit: 1 } : { limit: 1, cursor });
  listed.push(...page.items.map(({ externalId }) => externalId));
  cursor = page.nextCursor ?? undefined;
} while (cursor !== undefined);

console.log(
  JSON.stringify({
    message: created.message,
    price: item.price,
    status: refusal.status,
    code: refused.code,
    fields: refused.details?.map(({ field }) => field),
    listed,
  }),
);
