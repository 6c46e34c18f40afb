import Type from 'typebox';
import { changeKinds } from '../../features/partner/rules/change-set.ts';
import { readQuery, wholeNumber } from '../query.ts';

export const eventStreamType = 'text/event-stream';

const changeSchema = Type.Object(
  {
    kind: Type.Enum([...changeKinds], { $id: 'ChangeKind', description: 'What has changed' }),
    ids: Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'External ids of items, `id` of orders and bulk syncs; null: any of them, and always so of members',
    }),
  },
  { $id: 'Change', title: 'Change', description: 'Rows of one kind that may have changed' },
);

/** The `data` of an event `changed`. */
export const changesSchema = Type.Object(
  {
    changes: Type.Array(changeSchema, { description: 'At most one of each kind' }),
  },
  {
    $id: 'Changes',
    title: 'Changes',
    description: 'What may have changed since the event before: which rows, and nothing of what they say',
  },
);

const secondsMax = 900;

export const changeStreamParameters = {
  seconds: {
    description: `Ends the stream after so many seconds; 0 tells what is known and ends. Left out: it ends with the token, within ${secondsMax} s`,
    schema: Type.Integer({ minimum: 0, maximum: secondsMax }),
    component: 'StreamSeconds',
  },
};

export const lastEventId = {
  description: '`id` of the last event of an earlier stream: this one begins with what has changed since',
  schema: Type.String({ minLength: 1, maxLength: 100 }),
  component: 'LastEventId',
};

/** Throws Refusal BAD_REQUEST. */
export function readChangeStreamQuery(query: Readonly<Record<string, string>>): { readonly seconds: number } {
  const { seconds = secondsMax } = readQuery(query, { seconds: wholeNumber({ min: 0, max: secondsMax }) });
  return { seconds };
}
