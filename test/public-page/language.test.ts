import test from 'ava';
import { dateText, percentText, preferredLanguage } from '../../api/public-page/language.ts';

const cases: readonly (readonly [string | undefined, 'sv' | 'en'])[] = [
  [undefined, 'sv'],
  [' ', 'sv'],
  ['sv', 'sv'],
  ['sv-FI', 'sv'],
  ['SV-se,en;q=0.8', 'sv'],
  ['en-US,en;q=0.9,sv;q=0.8', 'en'],
  ['en;q=0.3, sv;q=0.4', 'sv'],
  ['de,sv;q=0.5', 'sv'],
  ['de', 'en'],
  ['sv;q=0', 'en'],
  ['sv;q=nonsense,en;q=0.1', 'en'],
  ['*', 'sv'],
  ['fr, *;q=0.1', 'sv'],
  [`${'x,'.repeat(100_000)}en`, 'en'],
];

for (const [accepted, language] of cases)
  test(`Accept-Language ${accepted?.slice(0, 40) ?? 'left out'} reads ${language}`, (t) => {
    t.is(preferredLanguage(accepted === undefined ? {} : { 'accept-language': accepted }), language);
  });

test('commission is shown in per cent as the language writes it, without zeros nobody needs', (t) => {
  const plain = (text: string) => text.replaceAll('\u00A0', ' ');
  t.deepEqual(
    [0, 1, 250, 1_000, 1_234, 10_000].map((bps) => [plain(percentText(bps, 'sv')), percentText(bps, 'en')]),
    [
      ['0 %', '0%'],
      ['0,01 %', '0.01%'],
      ['2,5 %', '2.5%'],
      ['10 %', '10%'],
      ['12,34 %', '12.34%'],
      ['100 %', '100%'],
    ],
  );
});

test('a date is that of Stockholm', (t) => {
  const lateInUtc = new Date('2026-06-30T22:30:00Z');
  t.deepEqual([dateText(lateInUtc, 'sv'), dateText(lateInUtc, 'en')], ['1 juli 2026', '1 July 2026']);
});
