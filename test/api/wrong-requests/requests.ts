/** A request that an integrator sends by mistake. */
export interface WrongRequest {
  /** As the page shows it. */
  readonly sent: string;
  readonly method: string;
  /** Sent as it stands: no client resolves `..` or encodes a space. */
  readonly path: string;
  /** Whose credential goes with it; `own` headers name theirs themselves. */
  readonly by: 'key' | 'session' | 'own';
  readonly headers?: (credentials: Credentials) => Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Credentials {
  readonly apiKey: string;
  readonly revokedKey: string;
  readonly token: string;
}

const json = { 'content-type': 'application/json' };
const ndjson = { 'content-type': 'application/x-ndjson' };
const item = '/integration/v1/items/A1';
const good = { title: 'Strålkastare', price: 450, imageUrls: [] };

/** A PUT whose body is written by hand. */
const raw = (
  sent: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = json,
): WrongRequest => ({ sent, method: 'PUT', path: item, by: 'key', headers: () => headers, body });

/** A PUT of an item with other fields than a good one has; undefined leaves one out. */
const fields = (change: object, sent = JSON.stringify(change)): WrongRequest =>
  raw(sent, JSON.stringify({ ...good, ...change }));

/** A PUT of an item of which nothing else is right either. */
const alone = (body: object): WrongRequest => raw(`only ${JSON.stringify(body)}`, JSON.stringify(body));

const at = (sent: string, path: string, method = 'PUT'): WrongRequest => ({
  sent,
  method,
  path,
  by: 'key',
  ...(method !== 'GET' && { headers: () => json, body: JSON.stringify(good) }),
});

const by = (sent: string, headers: WrongRequest['headers']): WrongRequest => ({
  sent,
  method: 'GET',
  path: item,
  by: 'own',
  headers: (credentials) => headers?.(credentials) ?? {},
});

/** `call`: method and path. */
const withBody = (call: string, body: unknown, who: WrongRequest['by'] = 'session'): WrongRequest => {
  const [method = '', path = ''] = call.split(' ');
  return {
    sent: `${call} \`${JSON.stringify(body)}\``,
    method,
    path,
    by: who,
    headers: () => json,
    body: JSON.stringify(body),
  };
};

const long = (length: number): string => 'x'.repeat(length);

/** What is no JSON, or no body that a PUT takes. */
const bodies: readonly WrongRequest[] = [
  { sent: 'PUT without a body', method: 'PUT', path: item, by: 'key' },
  raw('`null`', 'null'),
  raw('`[]`', '[]'),
  raw('`"text"`', '"text"'),
  raw('a comma too many: `{"title":"x","price":10,}`', '{"title":"x","price":10,}'),
  raw("single quotes: `{'title':'x'}`", "{'title':'x'}"),
  raw('a name without quotes: `{title:"x"}`', '{title:"x"}'),
  raw('a comment on line 2', '{\n  // the price\n  "price": 10\n}'),
  raw('cut off: `{"title":"Strålkas`', '{"title":"Strålkas'),
  raw('a line break inside of a text', '{"title":"two\nlines"}'),
  raw('two values: `{} {}`', '{} {}'),
  raw('`{"price":NaN}`', '{"price":NaN}'),
  raw('a decimal comma without quotes: `{"price":10,50}`', '{"price":10,50}'),
  raw('å as Windows-1252', Buffer.from('{"title":"Strålkastare"}', 'latin1')),
  raw('UTF-16', Buffer.from('{"title":"x"}', 'utf16le')),
  raw('`charset=iso-8859-1`', '{}', { 'content-type': 'application/json; charset=iso-8859-1' }),
  raw('as a form', 'title=x&price=10', { 'content-type': 'application/x-www-form-urlencoded' }),
  raw('without Content-Type', '{}', {}),
  raw('`Content-Encoding: gzip` that is not gzip', '{"title":"x"}', { ...json, 'content-encoding': 'gzip' }),
  raw('`Content-Encoding: zstd`', '{}', { ...json, 'content-encoding': 'zstd' }),
  raw('100 brackets', '['.repeat(100)),
  raw('2 MB', JSON.stringify({ ...good, description: long(2_000_000) })),
];

const items: readonly WrongRequest[] = [
  alone({ titel: 'Strålkastare', pris: 450, imageUrls: [] }),
  alone({ title: 'Strålkastare', pirce: 450, imageUrls: [] }),
  alone({ Title: 'Strålkastare', Price: 450, ImageUrls: [] }),
  alone({ title: 'Strålkastare', price: 450, imageUrl: 'https://a.se/1.jpg' }),
  fields({ title: undefined }, 'no title'),
  fields({ title: '' }),
  fields({ title: '   ' }),
  fields({ title: long(256) }, 'a title of 256 characters'),
  fields({ title: 'two\nlines' }),
  fields({ title: 4711 }),
  fields({ price: '10,50' }),
  fields({ price: '10.50' }),
  fields({ price: '450 kr' }),
  fields({ price: 'enligt överenskommelse' }),
  fields({ price: null }),
  fields({ price: 0 }),
  fields({ price: -5 }),
  fields({ price: 10.999 }),
  fields({ price: 1e12 }),
  fields({ currency: 'EUR' }),
  fields({ shippingCost: -1 }),
  fields({ weightKg: '2 kg' }),
  fields({ imageUrls: undefined }, 'no imageUrls'),
  fields({ imageUrls: 'https://a.se/1.jpg' }),
  fields({ imageUrls: Array.from({ length: 11 }, (_, n) => `https://a.se/${n}.jpg`) }, '11 images'),
  fields({ imageUrls: ['http://a.se/1.jpg'] }),
  fields({ imageUrls: ['https://a.se/bild 1.jpg'] }),
  fields({ imageUrls: ['https://user:pw@a.se/1.jpg'] }),
  fields({ imageUrls: ['bild.jpg'] }),
  fields({ imageUrls: ['https:\\\\a.se\\1.jpg'] }),
  fields({ imageUrls: ['https://a.se:99999/1.jpg'] }),
  fields({ images: ['https://a.se/1.jpg'], imageUrls: ['https://a.se/1.jpg'] }),
  fields({ domain: 'bildelar' }),
  fields({ domain: { domain: 'bilar' } }),
  fields({ domain: { part: { oemNumber: '1' } } }),
  fields({ domain: { domain: 'auto_parts', vehicle: { year: '2004' } } }),
  fields({ domain: { domain: 'auto_parts', conditionGrade: 'D', part: { oemNummer: '1' } } }),
  fields({ domain: { domain: 'books', isbn: '978-91-0-012345-6' } }),
  fields({ domain: { domain: 'vehicles', registrationPlate: 'ABC 12345' } }),
  fields({ autoPublishTradera: 'ja' }),
  fields({ useAiEnhancement: 'true' }),
  fields({ schemaVersion: '1' }),
  fields({ title: '', price: 0, imageUrls: ['http://a.se/1.jpg'], domain: { domain: 'bilar' } }),
  raw('the same name twice: `"price":450, … "price":45`', '{"title":"x","price":450,"imageUrls":[],"price":45}'),
];

const paths: readonly WrongRequest[] = [
  at('an id with a slash', '/integration/v1/items/A/1'),
  at('an id of blanks: `%20%20`', '/integration/v1/items/%20%20'),
  at('an id with a line feed: `A%0A`', '/integration/v1/items/A%0A'),
  at('`%2e%2e` as id', '/integration/v1/items/%2e%2e'),
  at('an id of 256 characters', `/integration/v1/items/${long(256)}`),
  at('`%zz` as id', '/integration/v1/items/%zz'),
  at('GET `/integration/v1/item/A1`', '/integration/v1/item/A1', 'GET'),
  at('POST of an item', item, 'POST'),
  at('PATCH of an item', item, 'PATCH'),
  at('PUT of the list', '/integration/v1/items', 'PUT'),
  at('GET of the price', `${item}/price`, 'GET'),
  at('`?validateOnly=ja`', `${item}?validateOnly=ja`),
  at('`?dryRun=true`', `${item}?dryRun=true`),
  at('`?limit=1000`', '/integration/v1/items?limit=1000', 'GET'),
  at('`?updatedSince=ig%C3%A5r`', '/integration/v1/items?updatedSince=ig%C3%A5r', 'GET'),
  { ...at('`If-Match: 3`', item), headers: () => ({ ...json, 'if-match': '3' }) },
];

const credentials: readonly WrongRequest[] = [
  by('no key', () => ({})),
  by('a wrong key', ({ apiKey }) => ({ 'x-api-key': `${apiKey.slice(0, -4)}AAAA` })),
  by('a revoked key', ({ revokedKey }) => ({ 'x-api-key': revokedKey })),
  by('the key in quotes', ({ apiKey }) => ({ 'x-api-key': `"${apiKey}"` })),
  by('the key as Bearer', ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` })),
  by('a session token as the key', ({ token }) => ({ 'x-api-key': token })),
  { ...by('the key at a route for sessions', ({ apiKey }) => ({ 'x-api-key': apiKey })), path: '/partner/orders' },
  by('`X-Partner-Account` of no member', ({ apiKey }) => ({ 'x-api-key': apiKey, 'x-partner-account': 'butik-9' })),
];

const others: readonly WrongRequest[] = [
  withBody(`PATCH ${item}/price`, { pris: 10 }, 'key'),
  withBody(`PATCH ${item}/status`, { status: 'såld' }, 'key'),
  withBody('POST /integration/v1/items/batch', { items: [] }, 'key'),
  withBody(
    'POST /integration/v1/items/batch',
    { items: [{ externalId: 'A', titel: 'x', price: '10', imageUrls: [] }] },
    'key',
  ),
  {
    sent: 'a bulk sync with `Content-Encoding: gzip` that is not gzip',
    method: 'POST',
    by: 'key',
    path: '/integration/v1/bulk-syncs?validateOnly=true',
    headers: () => ({ ...ndjson, 'content-encoding': 'gzip' }),
    body: '{"externalId":"A"}\n',
  },
  {
    sent: 'a bulk sync with a line that is no JSON and one with `pris`',
    method: 'POST',
    by: 'key',
    path: '/integration/v1/bulk-syncs?validateOnly=true',
    headers: () => ndjson,
    body: '{"externalId":"A",}\n{"externalId":"B","title":"x","pris":1,"imageUrls":[]}\n',
  },
  withBody('POST /integration/webhooks', { url: 'https://user:pw@erp.se/hook' }),
  withBody('POST /integration/webhooks', { url: 'http://erp.se/hook' }),
  withBody('POST /integration/webhooks', { url: 'https://erp.se/hook', event_types: ['item.sold'] }),
  withBody('POST /integration/webhooks', { url: 'https://erp.se/hook', eventTypes: ['sold'] }),
  withBody('POST /categories/convert', { fromMarket: 'tradera', toMarket: 'service', externalId: 516 }, 'own'),
  withBody('POST /integration/webhook-settings/recover', { since: 'igår' }),
];

export const wrongRequests: readonly WrongRequest[] = [...bodies, ...items, ...paths, ...credentials, ...others];
