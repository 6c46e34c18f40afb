import Type, { type Static } from 'typebox';
import { accountSchema } from './sign-in.ts';

const page = Type.Object(
  {
    slug: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Of its page, `/p/{slug}`' }),
    displayName: Type.String(),
  },
  { $id: 'ResellerPage', description: 'A reseller as its public page names it' },
);
const pageOrNull = (description: string) => Type.Union([page, Type.Null()], { description });

/** The answer of `GET /auth/me`. */
export const ownAccountSchema = Type.Object(
  {
    ...accountSchema.properties,
    emailConfirmed: Type.Boolean({
      description:
        'Whether a link that was sent to the address was opened; notifications are sent to a confirmed address only',
    }),
    isOperator: Type.Boolean({
      description: 'Whether items show where their work is in the workflow engine; it gives no right to data',
    }),
    reseller: pageOrNull("The account's own page while it has a reseller agreement, else null"),
    memberOf: pageOrNull('The reseller whose member the account is; null when it is nobody’s'),
  },
  { $id: 'OwnAccount', title: 'OwnAccount', description: 'Who is signed in, and what there is for them' },
);
export type OwnAccountAnswer = Static<typeof ownAccountSchema>;
