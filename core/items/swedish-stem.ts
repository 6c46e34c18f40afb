// The Swedish Snowball stemmer (snowballstem.org/algorithms/swedish), so that `bromsskivor` finds `bromsskiva`. It is own
// code because a stored stem must never change with a library's version.

const vowels = 'aeiouyäåö';
const mainEndings = [
  ...['a', 'arna', 'erna', 'heterna', 'orna', 'ad', 'e', 'ade', 'ande', 'arne', 'are', 'aste', 'en', 'anden', 'aren'],
  ...[
    'heten',
    'ern',
    'ar',
    'er',
    'heter',
    'or',
    'as',
    'arnas',
    'ernas',
    'ornas',
    'es',
    'ades',
    'andes',
    'ens',
    'arens',
  ],
  ...['hetens', 'erns', 'at', 'andet', 'het', 'ast'],
].sort((a, b) => b.length - a.length);
const beforeS = 'bcdfghjklmnoprtvy';

/** The stem of a lower-case word; the word itself when it has no known ending, as with numbers. */
export function swedishStem(word: string): string {
  const start = regionStart(word);
  if (start >= word.length) return word;
  return withoutSuffix(withoutDoubling(withoutEnding(word, start), start), start);
}

/** Endings count only behind the first consonant that follows a vowel, and behind the third letter. */
function regionStart(word: string): number {
  for (let at = 1; at < word.length; at += 1) {
    if (vowels.includes(word.charAt(at - 1)) && !vowels.includes(word.charAt(at))) return Math.max(at + 1, 3);
  }
  return word.length;
}

const endsIn = (word: string, ending: string, start: number): boolean =>
  word.length - ending.length >= start && word.endsWith(ending);

function withoutEnding(word: string, start: number): string {
  const ending = mainEndings.find((one) => endsIn(word, one, start));
  if (ending !== undefined) return word.slice(0, -ending.length);
  const isGenitive = endsIn(word, 's', start) && beforeS.includes(word.at(-2) ?? ' ');
  return isGenitive ? word.slice(0, -1) : word;
}

const doublings = ['dd', 'gd', 'nn', 'dt', 'gt', 'kt', 'tt'];

const withoutDoubling = (word: string, start: number): string =>
  doublings.some((ending) => endsIn(word, ending, start)) ? word.slice(0, -1) : word;

function withoutSuffix(word: string, start: number): string {
  if (endsIn(word, 'löst', start) || endsIn(word, 'fullt', start)) return word.slice(0, -1);
  const suffix = ['lig', 'els', 'ig'].find((one) => endsIn(word, one, start));
  return suffix === undefined ? word : word.slice(0, -suffix.length);
}
