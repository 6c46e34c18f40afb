import test from 'ava';
import fc from 'fast-check';
import { adHtml } from '../../features/listings/rules/ad-text.ts';
import {
  adDescription,
  adTitle,
  fittingReferences,
  limitWarnings,
  marketplaceLimits,
} from '../../features/listings/rules/marketplace-limits.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { checkProperty } from '../support/check-property.ts';

const contentWith = (change: object) => anItemRequest(change).content;
const part = { slug: 'auto_parts', attributes: { part: { oemNumber: '123' }, conditionNote: 'Liten repa' } } as const;

test('a title of 80 characters stays, a longer one ends with an ellipsis and never within a character', (t) => {
  t.is(adTitle('å'.repeat(80)), 'å'.repeat(80));
  t.is(adTitle('å'.repeat(81)), `${'å'.repeat(79)}…`);
  const emoji = adTitle('🚗'.repeat(60));
  t.true(emoji.length <= 80);
  t.false(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(emoji));
});

test('whatever the text, with its markup it is within the limit, and it is cut only when it must be', async (t) => {
  const texts = fc.oneof(
    fc.string({ maxLength: 20_000, unit: 'grapheme' }),
    fc
      .constantFrom('&', '<', '"', 'a', '\n', '🚗')
      .chain((unit) => fc.integer({ min: 0, max: 20_000 }).map((n) => unit.repeat(n))),
  );
  await checkProperty(
    t,
    fc.property(texts, (description) => {
      const html = adDescription({ description, domain: part });
      const whole = adHtml(description, part);
      return html.length <= marketplaceLimits.text && (whole.length > marketplaceLimits.text || html === whole);
    }),
    { numRuns: 200 },
  );
});

test('what is cut is the caller’s own text: block and condition note stay', (t) => {
  const html = adDescription({ description: 'x'.repeat(9_000), domain: part });
  t.regex(html, /…<br><br>--- Teknisk specifikation ---<br>OEM: 123<br><br>Liten repa$/);
  t.true(html.length > marketplaceLimits.text - 10, 'no more is cut than must be');
});

test('a reference of more than 60 characters is left out', (t) => {
  t.deepEqual(fittingReferences(['x'.repeat(61), 'y'.repeat(60)]), ['y'.repeat(60)]);
});

test('the caller is told what the marketplace shows otherwise', (t) => {
  const fields = (externalId: string, change: object): string[] =>
    limitWarnings(externalId, contentWith(change)).map(({ field }) => field);
  t.deepEqual(fields('A1', {}), []);
  t.deepEqual(fields('x'.repeat(61), { title: 't'.repeat(81), description: '<'.repeat(1_751) }), [
    ...['externalId', 'title', 'description'],
  ]);
  t.deepEqual(fields('A1', { description: '<'.repeat(1_750) }), []);
});
