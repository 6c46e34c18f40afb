import test from 'ava';
import { undocumentedIn, type SentAnswer } from '../support/documented-answer.ts';

// What stands between every answer of the API tests and the document; so this itself must be known to bite.

const status = {
  externalId: 'A1',
  serviceItemId: '0c7f8f0e-7f5c-4b57-9a3e-3a6d4b2c1f00',
  serviceStatus: 'draft',
  marketplaceStatus: 'pending_sync',
  marketplaceAdId: null,
  marketplaceAdUrl: null,
  price: 149.5,
};
const documentedHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'r',
  ratelimit: '"key";r=1;t=1',
  'ratelimit-policy': '"key";q=1;w=1',
  etag: '"x.1"',
};
const { etag: _left, ...others } = documentedHeaders;
const withoutEtag = new Headers(others);
const withoutLimits = new Headers({ 'content-type': others['content-type'], 'x-request-id': 'r', etag: '"x.1"' });

const answer = (changes: Partial<SentAnswer> & { readonly body?: unknown } = {}): SentAnswer => ({
  method: 'GET',
  path: '/integration/v1/items/A1?view=status',
  status: 200,
  headers: new Headers(documentedHeaders),
  text: JSON.stringify(changes.body ?? status),
  ...changes,
});

test('a documented answer passes', (t) => {
  t.deepEqual(undocumentedIn(answer()), []);
});

for (const [name, changes, problem] of [
  ['a status the document does not know', { status: 418 }, /status 418 is not documented/],
  ['a body with a field nobody described', { body: { ...status, extra: 1 } }, /"additionalProperty":"extra"/],
  ['a body with a field less', { body: { ...status, price: undefined } }, /required property 'price'/],
  ['a value outside its set', { body: { ...status, serviceStatus: 'live' } }, /must be equal to one of/],
  ['a text that misses its format', { body: { ...status, serviceItemId: 'x' } }, /must match format "uuid"/],
  ['a missing ETag', { headers: withoutEtag }, /header ETag is missing/],
  ['missing limits', { headers: withoutLimits }, /header RateLimit is missing/],
  [
    'another content type',
    { headers: new Headers({ ...documentedHeaders, 'content-type': 'text/html' }) },
    /text\/html/,
  ],
  ['a body where there is none', { method: 'DELETE', path: '/business/my-deal', status: 204 }, /there is a body/],
  ['a path that answers without being there', { path: '/integration/v2/items' }, /is not in the document/],
] as const) {
  // specification: every-answer-holds-exactly, searchfields-key-labelsv-labelen
  test(`the check finds ${name}`, (t) => {
    t.regex(undocumentedIn(answer(changes)).join('\n'), problem);
  });
}

test('404 is the answer of every path that does not exist', (t) => {
  t.deepEqual(undocumentedIn(answer({ path: '/nowhere', status: 404, body: {} })), []);
});

// specification: body-error-code-statuscode
test('an error answer is held to its form, and 503 to its Retry-After', (t) => {
  const body = { error: 'later', code: 'UNAVAILABLE', statusCode: 503 };
  t.deepEqual(undocumentedIn(answer({ status: 503, body })), ['the documented header Retry-After is missing']);
  const headers = new Headers({ ...documentedHeaders, 'retry-after': '5' });
  t.deepEqual(undocumentedIn(answer({ status: 503, body, headers })), []);
  t.regex(
    undocumentedIn(answer({ status: 503, body: { message: 'later' }, headers })).join(),
    /required property 'error'/,
  );
});
