import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { inSwedish, swedishRules } from '../../web/dashboard/src/journal/swedish-messages.ts';

test('what the service tells in English is shown in Swedish, with its numbers and names', (t) => {
  const told: readonly (readonly [string, string])[] = [
    ['The item was created.', 'Artikeln skapades.'],
    ['The price was changed from 349 to 299.5 SEK.', 'Priset ändrades från 349 till 299.5 kr.'],
    ['The item was updated: title, imageUrls.', 'Artikeln ändrades: titel, bilder.'],
    [
      'The auction was changed: its price is 400 SEK, its content is up to date.',
      'Auktionen ändrades: priset är 400 kr, innehållet är uppdaterat.',
    ],
    ['2 of 3 images are hosted; 1 failed.', '2 av 3 bilder är klara, 1 misslyckades.'],
    ['Signed in from 127.0.0.1', 'Inloggad från 127.0.0.1'],
    ['A bulk sync of 1200 lines was accepted', 'En massynkning med 1200 rader togs emot'],
  ];
  for (const [english, swedish] of told) t.is(inSwedish(english), swedish);
});

test('names in a message stay as they are, whatever they look like', (t) => {
  t.is(inSwedish('API key "$2 ${1}" (sk_live_a…) was revoked'), 'API-nyckeln ”$2 ${1}” (sk_live_a…) återkallades');
  t.is(inSwedish('The member A left left'), 'Medlemmen A left lämnade');
});

test('a message that nobody translated is left to be shown as it is', (t) => {
  t.is(inSwedish('The moon was full.'), undefined);
});

test('every sentence that is translated is one that the service still says', (t) => {
  const said = ['core', 'usecases', 'store'].flatMap(sourcesIn).join('\n');
  for (const [pattern] of swedishRules) {
    const words = wordsOf(pattern);
    t.true(said.includes(words), `nothing says "${words}" any more: ${pattern.source}`);
  }
});

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll("\\'", "'"));

/** The beginning of the first words that stand in it letter by letter. Sentences are put together of parts, so not more. */
function wordsOf({ source }: RegExp): string {
  const literals = source
    .replace(/^\^|\$$/g, '')
    .split(/\((?:\\S|\\d|\.)\+\)|\\[()]/)
    .map((part) => part.replaceAll('\\.', '.'));
  return (literals.find((part) => part.length >= 8) ?? '').slice(0, 12);
}
