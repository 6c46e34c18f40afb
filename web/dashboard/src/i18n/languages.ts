/** The languages of the page. */
export const languages = ['sv', 'en'] as const;
export type Language = (typeof languages)[number];
