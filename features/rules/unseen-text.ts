/** A blank or dash of any kind: they look alike, and programs put one for another. */
export const anyBlankOrDash = /[\p{Zs}\p{Pd}\u2212]/gu;
/** A dash of any kind, the minus sign too. */
export const anyDash = /[\p{Pd}\u2212]/gu;

/** Characters that leave no trace on the screen, or the trace of an ordinary space, which is not among them. */
const unseen = /(?! )[\s\p{Zs}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The text for a message, with what can't be seen as its code: `MLB<U+00A0>84A`. */
export const showUnseen = (text: string): string => text.replace(unseen, (character) => `<${codeOf(character)}>`);

const namedMax = 3;

/** The codes of characters that can't be seen, each once: `U+00A0, U+200B`; undefined when there are none. */
export function unseenIn(text: string): string | undefined {
  const codes = [...new Set(text.match(unseen) ?? [])].map(codeOf);
  return codes.length === 0
    ? undefined
    : [...codes.slice(0, namedMax), ...(codes.length > namedMax ? ['…'] : [])].join(', ');
}
