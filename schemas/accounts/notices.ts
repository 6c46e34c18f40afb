import Type, { type Static } from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { mailLanguageField } from './sign-in.ts';

const choice = {
  webhookDisabled: Type.Boolean({ description: 'When a webhook was switched off after too many failures' }),
  tokenExpired: Type.Boolean({ description: 'When the marketplace no longer accepts the connection' }),
  sale: Type.Boolean({ description: 'For each sale' }),
  weeklySummary: Type.Boolean({
    description: 'Each Monday morning: what was sold in seven days, and what needs attention',
  }),
  language: mailLanguageField,
};

export const noticesWishSchema = Type.Object(choice, { $id: 'NoticesWish', title: 'NoticesWish' });

export const noticesSchema = Type.Object(
  {
    ...choice,
    isAvailable: Type.Boolean({ description: 'Whether the service sends mails, and the address is confirmed' }),
  },
  { $id: 'Notices', title: 'Notices', description: 'Which emails the account gets' },
);

export type NoticesWish = Static<typeof noticesWishSchema>;
export type NoticesView = Static<typeof noticesSchema>;

/** Throws VALIDATION_FAILED. */
export const readNoticesWish = compileReader(noticesWishSchema);
