import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { refusalStatus } from '../../features/rules/errors.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { inEnglish } from '../../web/dashboard/src/history/english.ts';
import {
  tellDeliveryFailure,
  tellDisabled,
  tellRecoveryStop,
} from '../../web/dashboard/src/words/delivery-failures.ts';
import { limitWarnings } from '../../features/listings/rules/marketplace-limits.ts';
import { pendingMessage } from '../../features/listings/rules/pending-changes.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { pendingName } from '../../web/dashboard/src/words/pending-changes.ts';
import { isKnownFieldProblem, tellFieldProblem } from '../../web/dashboard/src/words/field-problems.ts';
import { itemFailureTexts, tellItemFailure } from '../../web/dashboard/src/words/item-failures.ts';
import { refusalTexts, tellLineError } from '../../web/dashboard/src/words/refusals.ts';

const languages = ['sv', 'en'] as const;

const filesIn = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

test('every code of a refusal has a sentence of its own in both languages', (t) => {
  for (const code of Object.keys(refusalStatus)) {
    const [sv, en] = languages.map((language) => Reflect.get(refusalTexts[language], code) as unknown);
    if (typeof sv !== 'string' || typeof en !== 'string') return t.fail(`${code} has no sentence`);
    t.regex(sv, /^\p{Lu}.+\.$/u, code);
    t.regex(en, /^\p{Lu}.+\.$/u, code);
    t.not(sv, en);
  }
});

/** What is answered to 102 wrong requests, and every literal message of a field in the code that makes them. */
function saidOfFields(): string[] {
  const page = readFileSync('test/api/wrong-requests/answers.md', 'utf8');
  const recorded = [...page.matchAll(/<br>– (?:warning: )?\S+ ([^|]+?)(?=<br>| \||$)/gm)].map(([, said = '']) => said);
  const files = ['schemas', 'features'].flatMap((folder) => filesIn(folder, '.ts'));
  const written = files
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((code) => [...code.matchAll(/field\b[^}]{0,80}message:\s*'([^'\\]+)'/g)].map(([, said = '']) => said));
  return [...new Set([...recorded, ...written])];
}

test('whatever is wrong with a field is told in Swedish, in words of its own', (t) => {
  const said = saidOfFields();
  t.true(said.length > 60, `${said.length} messages`);
  t.deepEqual(
    said.filter((message) => !isKnownFieldProblem(message)),
    [],
    'these messages have no sentence in web/dashboard/src/words/field-problems.ts',
  );
});

test('what the marketplace shows otherwise is told in words of its own, and every pending change has a name', (t) => {
  const { content } = anItemRequest({ title: 'x'.repeat(100), description: 'y'.repeat(8_000) });
  const warnings = [...limitWarnings('z'.repeat(70), content), { field: 'title', message: pendingMessage }];
  t.is(warnings.length, 4);
  for (const { message } of warnings) t.true(isKnownFieldProblem(message), message);
  t.regex(tellFieldProblem(warnings[1]?.message ?? '', 'en'), /^is cut to 80 characters at the marketplace: “x+…”$/);
  const fields = readFileSync('features/listings/rules/pending-changes.ts', 'utf8');
  const terms = [...(/fixedTerms = \[([^\]]+)\]/.exec(fields)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name);
  t.true(terms.length > 4);
  for (const name of ['title', 'imageUrls', 'listing.reservePrice', ...terms.map((term) => `listing.${String(term)}`)])
    t.not(pendingName(name, 'sv'), name);
});

test('a field problem keeps its number and its value, and an unknown one is not valid', (t) => {
  t.is(tellFieldProblem('must be at most 255 characters', 'sv'), 'får ha högst 255 tecken');
  t.is(
    tellFieldProblem('must be a number, not the text "450 kr": send digits without quotes', 'sv'),
    'ska vara ett tal, inte texten ”450 kr”',
  );
  t.is(tellFieldProblem('is not a known field; did you mean price?', 'sv'), 'är inget känt fält; menade du price?');
  t.is(tellFieldProblem('something new', 'sv'), 'är inte giltigt');
  t.is(tellFieldProblem('something new', 'en'), 'is not valid');
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

/** Sentences that the interface gives in English: a page makes its own of their code, kind or details. */
const raw =
  /lang="en"|(?<!=)\{(?!t\.)(?:\w+\.)*(?:errorMessage|lastError|disabledReason|stoppedBecause|reason)\}|error\.reason|entry\.message/;

test('no page of the dashboard shows a sentence of the interface', (t) => {
  const files = filesIn('web/dashboard/src', '.tsx');
  t.true(files.length > 60);
  t.deepEqual(
    files.filter((file) => raw.test(readFileSync(file, 'utf8'))),
    [],
  );
});
