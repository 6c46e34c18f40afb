const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** ASCII has one form only. */
export const isAscii = (id: string): boolean => /^[\0-\x7F]*$/.test(id);

/** The form in which ids that differ only by their Unicode form are the same text. */
export const commonFormOf = (id: string): string => (isAscii(id) ? id : id.normalize('NFKC'));

/** The other forms of an id, which look the same; empty for most ids. */
export const otherFormsOf = (id: string): readonly string[] =>
  isAscii(id) ? [] : [...new Set(forms.map((form) => id.normalize(form)))].filter((other) => other !== id);
