import Type from 'typebox';

/** What an entry of a history says, as data: core/history/facts.ts has the names of each kind. */
export const entryDetails = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'What `message` says, as data by name: ids, names, numbers (money in SEK); never a secret. May gain names',
});
