/** What the page speaks. */
export const languages = ['sv', 'en'] as const;
export type Language = (typeof languages)[number];
