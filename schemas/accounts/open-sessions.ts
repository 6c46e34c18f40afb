import Type from 'typebox';
import { time } from '../time.ts';

const nullableString = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const openSessionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: time('When the session began'),
    lastUsedAt: time('When its access token was renewed last, which happens every 15 minutes while it is used'),
    expiresAt: time('When it ends unless it is renewed'),
    address: nullableString('IP address that it was opened from; null when that is not known'),
    userAgent: nullableString('What the program called itself (`User-Agent`), at most 200 characters'),
    isCurrent: Type.Boolean({ description: 'Whether it is the session that asks' }),
  },
  { $id: 'OpenSession' },
);

export const openSessionListSchema = Type.Object(
  { sessions: Type.Array(openSessionSchema) },
  { $id: 'OpenSessionList' },
);
