/**
 * The canonical form of a BCP 47 language tag (`SV-se` → `sv-SE`, `iw` → `he`); undefined when it is none. Tags that only
 * old registrations know (`i-klingon`) or that are private as a whole (`x-own`) name no language anybody could search for.
 */
export function normaliseLanguage(input: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(input)[0];
  } catch (error) {
    // Intl has no way to ask first: a tag that isn't well-formed is a RangeError.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
