import createClient from 'openapi-fetch';
import type { paths } from './client/api';

// The story of README.md with the types of openapi-typescript, by openapi-fetch.

declare const process: { readonly env: Record<string, string> };
const { ITEMBRIDGE_URL: baseUrl = '', ITEMBRIDGE_API_KEY: apiKey = '' } = process.env;
const { GET, PUT } = createClient<paths>({ baseUrl, headers: { 'x-api-key': apiKey } });
const path = '/integration/v1/items/{external_id}';
const named = (id: string) => ({ path: { external_id: id } });

const { data: created } = await PUT(path, {
  params: named('CHECK-1'),
  body: {
    title: 'Strålkastare Volvo V70',
    price: 149999.99,
    imageUrls: [],
    domain: { domain: 'auto_parts', conditionGrade: 'A*' },
  },
});
await PUT(path, { params: named('CHECK-2'), body: { title: 'Emaljkanna, blå', price: 149.5, imageUrls: [] } });

const { data: item } = await GET(path, { params: { ...named('CHECK-1'), query: { view: 'full' } } });

const { error: refused, response } = await PUT(path, {
  params: named('CHECK-3'),
  body: { title: 'Backspegel', price: 149.999, imageUrls: ['http://images.example.com/1.jpg'] },
});

const listed: string[] = [];
let cursor: string | undefined;
do {
  const query = cursor === undefined ? { limit: 1 } : { limit: 1, cursor };
  const { data: page } = await GET('/integration/v1/items', { params: { query } });
  listed.push(...(page?.items ?? []).map(({ externalId }) => externalId));
  cursor = page?.nextCursor ?? undefined;
} while (cursor !== undefined);

console.log(
  JSON.stringify({
    message: created?.message,
    price: item?.price,
    status: response.status,
    code: refused?.code,
    fields: refused?.details?.map(({ field }) => field),
    listed,
  }),
);
