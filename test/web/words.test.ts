import test from 'ava';
import { refusalStatus } from '../../features/rules/errors.ts';
import { problem, told, type FieldProblem } from '../../features/rules/field-problems.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { inEnglish } from '../../web/dashboard/src/history/english.ts';
import {
  tellDeliveryFailure,
  tellDisabled,
  tellRecoveryStop,
} from '../../web/dashboard/src/words/delivery-failures.ts';
import { fixedTerms } from '../../features/listings/rules/pending-changes.ts';
import { pendingName } from '../../web/dashboard/src/words/pending-changes.ts';
import { fieldProblemTexts, tellFieldProblem } from '../../web/dashboard/src/words/field-problems.ts';
import { itemFailureTexts, tellItemFailure } from '../../web/dashboard/src/words/item-failures.ts';
import { refusalTexts, tellLineError } from '../../web/dashboard/src/words/refusals.ts';

const languages = ['sv', 'en'] as const;

test('every code of a refusal has a sentence of its own in both languages', (t) => {
  for (const code of Object.keys(refusalStatus)) {
    const [sv, en] = languages.map((language) => Reflect.get(refusalTexts[language], code) as unknown);
    if (typeof sv !== 'string' || typeof en !== 'string') return t.fail(`${code} has no sentence`);
    t.regex(sv, /^\p{Lu}.+\.$/u, code);
    t.regex(en, /^\p{Lu}.+\.$/u, code);
    t.not(sv, en);
  }
});

/** The names that the English sentence of a code is made of. */
function paramsOf(code: string): readonly string[] {
  const names = new Set<string>();
  const recorder = new Proxy({}, { get: (_, name) => (names.add(String(name)), '') });
  told(code as never, ...([recorder] as never));
  return [...names];
}

test('what is said of a field fills in nothing but the params of its code, and the same in both languages', (t) => {
  for (const [code, pair] of Object.entries(fieldProblemTexts)) {
    const [sv = [], en = []] = pair.map((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort());
    t.deepEqual(sv, en, code);
    for (const name of sv) t.true(paramsOf(code).includes(name), `${code} has no ${name}`);
  }
});

test('a field problem keeps its number and its value, and an unknown one is not valid', (t) => {
  const inBoth = (of: FieldProblem): string[] => languages.map((language) => tellFieldProblem(of, language));
  t.deepEqual(inBoth(problem('a', 'too_long', { max: 255 })), [
    'får ha högst 255 tecken',
    'can have at most 255 characters',
  ]);
  t.deepEqual(inBoth(problem('a', 'wrong_type', { type: 'integer or null' })), [
    'ska vara ett heltal',
    'must be a whole number',
  ]);
  t.deepEqual(inBoth(problem('a', 'not_https_url', { reason: 'http' })), [
    'ska börja med https://, inte http://',
    'must start with https://, not http://',
  ]);
  t.deepEqual(inBoth(problem('a', 'unknown_field', {})), ['är inget känt fält', 'is not a known field']);
  t.deepEqual(inBoth(problem('a', 'unknown_field', { suggestion: 'price' })), [
    'är inget känt fält; menade du price?',
    'is not a known field; did you mean price?',
  ]);
  t.is(tellFieldProblem({ code: 'of_tomorrow', params: {} }, 'sv'), 'är inte giltigt');
});

test('every pending change has a name', (t) => {
  for (const name of ['title', 'imageUrls', 'listing.reservePrice', ...fixedTerms.map((term) => `listing.${term}`)])
    t.not(pendingName(name, 'sv'), name);
});

test('what stopped an item is told by its code; of the marketplace’s refusals its own words stay', (t) => {
  for (const code of Object.keys(itemFailureTexts.sv)) {
    const told = languages.map((language) => tellItemFailure(`${code}: Error`, language));
    t.notRegex(told.join(' '), /[A-Z]{3}_|Error/, code);
    t.is(new Set(told).size, 2);
  }
  const refused = 'LISTING_REFUSED: Category 12 is closed.';
  t.is(tellItemFailure(refused, 'sv'), 'Marknadsplatsen nekade annonsen: ”Category 12 is closed”.');
  const givenUp = 'MARKETPLACE_TIMEOUT_GIVEN_UP: given up after 24 hours: no answer';
  t.is(tellItemFailure(givenUp, 'sv'), 'Marknadsplatsen svarade inte, eller svarade med ett fel.');
  t.is(tellItemFailure('E11000 duplicate key', 'sv'), 'Något gick fel.');
  t.is(
    inEnglish({ kind: 'given_up', details: { cause: 'LISTING_REFUSED', error: 'Category 12 is closed' } }),
    'Failed: The marketplace rejected the listing: “Category 12 is closed”.',
  );
});

const networkCodes =
  'ECONNREFUSED ENOTFOUND ENODATA EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED HOSTNAME_MISMATCH ECONNRESET EPIPE UND_ERR_SOCKET UND_ERR_HEADERS_OVERFLOW UND_ERR_HEADERS_TIMEOUT UND_ERR_RES_EXCEEDED_MAX_SIZE ETIMEDOUT EPROTO';

test('why a receiver did not take an event is told for each way that a connection fails', (t) => {
  const said = networkCodes
    .split(' ')
    .map((code) => describeNetworkProblem(Object.assign(new Error('x'), { code })).message);
  const http = [
    'HTTP 500',
    'HTTP 410: the receiver asks not to be sent this again',
    'HTTP 301: redirects are not followed',
  ];
  for (const message of [...said, ...http, 'did not answer within 10 seconds', 'only HTTPS is allowed']) {
    t.not(tellDeliveryFailure(message, 'sv'), 'anslutningen misslyckades', message);
    t.not(tellDeliveryFailure(message, 'sv'), tellDeliveryFailure(message, 'en'), message);
  }
  t.is(
    tellDisabled('disabled after 15 deliveries in a row were given up; the last error was: HTTP 500', 'sv'),
    '15 leveranser i följd misslyckades: mottagaren svarade HTTP 500',
  );
  t.is(tellRecoveryStop('5 in a row did not get through', 'sv'), '5 i följd misslyckades');
  t.is(tellLineError('INTERNAL', 'sv'), 'Något gick fel hos oss. Skicka raden igen.');
});
