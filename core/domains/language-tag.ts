/**
 * The canonical form of a BCP 47 language tag (`SV-se` → `sv-SE`, `iw` → `he`); undefined when it is none. Old registered tags
 * (`i-klingon`) and fully private tags (`x-own`) are not supported, although BCP 47 has them: no search could use them.
 */
export function normaliseLanguage(input: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(input)[0];
  } catch (error) {
    // Intl offers no check without an exception: a malformed tag is a RangeError.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Whether the language of a canonical tag has a name: `svenska` has the form of a tag and means nothing. */
export function isNamedLanguage(tag: string): boolean {
  try {
    return names.of(new Intl.Locale(tag).language) !== undefined;
  } catch (error) {
    // `und`, which says that the language is not known.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
