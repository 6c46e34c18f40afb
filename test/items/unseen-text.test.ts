import test from 'ava';
import { normaliseIsbn, normaliseLanguage } from '../../features/items/rules/book-codes.ts';
import { resolveSlug } from '../../features/rules/domains.ts';
import { oemNumberTerm, plateTerm } from '../../features/items/rules/search-terms.ts';
import { showUnseen, unseenIn } from '../../features/rules/unseen-text.ts';
import { normalisePlate } from '../../features/vehicles/rules/vehicle.ts';
import { aBody, problemsOf } from '../schemas/items/requests.ts';

/** No-break, thin, narrow no-break, ideographic and en spaces; hyphen, non-breaking hyphen, figure, en and em dash, minus. */
const blanks = ['\u00A0', '\u2009', '\u202F', '\u3000', '\u2002', ' '];
const dashes = ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '-'];

for (const sign of [...blanks, ...dashes])
  test(`U+${sign.charCodeAt(0).toString(16)} between letters and digits is the blank or the dash that it looks like`, (t) => {
    t.is(normalisePlate(`MLB${sign}84A`), 'MLB84A');
    t.is(plateTerm(`mlb${sign}84a`), 'plate:MLB84A');
    t.is(normaliseIsbn(`978${sign}91${sign}1${sign}302848${sign}4`), '9789113028484');
    t.is(resolveSlug(`home${sign}garden`), 'home_garden');
    t.is(oemNumberTerm(`1K0${sign}615`), 'oem:1K0615');
    if (dashes.includes(sign)) t.is(normaliseLanguage(`en${sign}GB`), 'en-GB');
  });

const plate = (registrationPlate: string) =>
  problemsOf(aBody({ domain: { domain: 'vehicles', registrationPlate } })).map(({ message }) => message);

test('what can not be seen in a value that is refused is shown by its code', (t) => {
  const form = 'must be a Swedish registration plate such as MLB 84A';
  t.deepEqual(plate('MLB\u200B84A'), [`${form}: it has U+200B, which can't be seen`]);
  t.deepEqual(plate('MLB\u00A084A\u00A0X1'), [`${form}: it has U+00A0, which can't be seen`]);
  t.deepEqual(plate('MLB\u00AD84A\uFEFF\u2060\u200E'), [
    `${form}: it has U+00AD, U+FEFF, U+2060, …, which can't be seen`,
  ]);
  t.deepEqual(plate('MLB 84A?'), [form]);
  const isbn = problemsOf(aBody({ domain: { domain: 'books', isbn: '978-91-1-302848-4\u200B' } }));
  t.regex(isbn[0]?.message ?? '', /it has U\+200B/);
  const price = problemsOf(aBody({ price: '1\u00A0499' }));
  t.regex(price[0]?.message ?? '', /not the text "1<U\+00A0>499"/);
});

test('a text is shown with the codes of what can not be seen, and ordinary spaces as they are', (t) => {
  t.is(showUnseen('A\u00A01\tb\nc\u200B d å'), 'A<U+00A0>1<U+0009>b<U+000A>c<U+200B> d å');
  t.is(showUnseen('\u{E0001}'), '<U+E0001>');
  t.is(unseenIn('Fälg 15" – ny'), undefined);
});
