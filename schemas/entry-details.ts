import Type from 'typebox';

/** Details of a history entry as data; core/history/facts.ts has the names of each kind. */
export const entryDetails = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'What `message` says, as data by name: ids, names, numbers (money in SEK); never a secret. May gain names',
});
