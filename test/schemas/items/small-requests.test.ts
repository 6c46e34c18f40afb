import test from 'ava';

import { readExternalId } from '../../../schemas/items/external-id.ts';
import { readPriceRequest, readStatusRequest } from '../../../schemas/items/change-requests.ts';
import { refusalOf } from './requests.ts';
import { said } from '../../support/said.ts';

test('a price comes back in öre', (t) => {
  t.deepEqual(readPriceRequest({ price: 200 }), { priceOre: 20_000, warnings: [] });
});

test('a price with öre and an unknown field are accepted with warnings', (t) => {
  const { priceOre, warnings } = readPriceRequest({ price: 99.95, status: 'sold' });
  t.is(priceOre, 9_995);
  t.deepEqual(
    warnings.map(({ field }) => field),
    ['status', 'price'],
  );
});

for (const [body, field, message] of [
  [{}, 'price', 'is required'],
  [{ price: 0.99 }, 'price', 'must be at least 1'],
  [{ price: '1' }, 'price', 'must be a number, not the text "1": send 1 without quotes'],
  [{ price: 1.999 }, 'price', 'must have at most two decimals'],
  [null, 'body', 'must be an object'],
] as const) {
  test(`the price body ${JSON.stringify(body)} is refused at ${field}: ${message}`, (t) => {
    const { code, details } = refusalOf(() => readPriceRequest(body));
    t.is(code, 'VALIDATION_FAILED');
    t.deepEqual(said(details ?? []), [{ field, message }]);
  });
}

test('a refused price or status names the field that it does not know', (t) => {
  t.deepEqual(said(refusalOf(() => readPriceRequest({ pris: 1 })).details ?? []), [
    { field: 'price', message: 'is required' },
    { field: 'pris', message: 'is not a known field; did you mean price?' },
  ]);
  t.like(refusalOf(() => readStatusRequest({ Status: 'sold' })).details?.[1], {
    field: 'Status',
    message: 'is not a known field; did you mean status?',
  });
});

for (const status of ['sold', 'not_listed'] as const) {
  test(`status ${status} may be set`, (t) => {
    t.deepEqual(readStatusRequest({ status }), { status, warnings: [] });
  });
}

for (const status of ['active', 'draft', 'archived', 'Sold', '', null, 1]) {
  // specification: 1-patch-status-with
  test(`status ${JSON.stringify(status)} is refused with the invalid-status message`, (t) => {
    const { code, message, details } = refusalOf(() => readStatusRequest({ status }));
    t.is(code, 'VALIDATION_FAILED');
    t.is(message, 'Invalid status: must be one of not_listed, sold');
    t.deepEqual(said(details ?? []), [{ field: 'status', message: 'must be one of: not_listed, sold' }]);
  });
}

test('a status body without a status is refused at status', (t) => {
  t.deepEqual(said(refusalOf(() => readStatusRequest({})).details ?? []), [
    { field: 'status', message: 'is required' },
  ]);
});

for (const externalId of ['...', '.a', 'A', 'A/1?#%', 'å ä ö', ' ', 'x'.repeat(255), '🚗'.repeat(255), '__proto__']) {
  // specification: external-id-at-most
  test(`the external_id "${externalId.slice(0, 20)}" (${externalId.length}) is kept verbatim`, (t) => {
    t.is(readExternalId(externalId), externalId);
  });
}

for (const [externalId, message] of [
  ['', 'external_id must not be empty'],
  ['x'.repeat(256), 'external_id must be at most 255 characters'],
  ['🚗'.repeat(256), 'external_id must be at most 255 characters'],
  ['x'.repeat(5_000_000), 'external_id must be at most 255 characters'],
  ['a\0', 'external_id must not contain NUL characters or unpaired surrogates'],
  ['a\uDC00', 'external_id must not contain NUL characters or unpaired surrogates'],
  ['.', "external_id must not be . or .., which a path can't hold"],
  ['..', "external_id must not be . or .., which a path can't hold"],
  [7, 'external_id must be a string'],
  [undefined, 'external_id must be a string'],
] as const) {
  test(`the external_id ${JSON.stringify(externalId)?.slice(0, 20)} (${String(externalId).length}) is a bad request: ${message}`, (t) => {
    const refusal = refusalOf(() => readExternalId(externalId));
    t.is(refusal.code, 'BAD_REQUEST');
    t.is(refusal.message, message);
  });
}
