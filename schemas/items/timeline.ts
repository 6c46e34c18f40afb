import Type, { type Static } from 'typebox';
import { journalKinds } from '../../features/items/rules/journal.ts';
import type { TimelinePage } from '../../features/items/rules/timeline.ts';
import { readQuery, wholeNumber } from '../query.ts';
import { entryDetails, time } from '../fields.ts';

const actorKinds = ['api_key', 'reseller', 'dashboard', 'service', 'marketplace', 'operator'] as const;

const timelineEntrySchema = Type.Object(
  {
    at: time('When it happened'),
    kind: Type.Enum([...journalKinds], { $id: 'TimelineKind', description: 'What it is about' }),
    message: Type.String({ description: 'A sentence for people, in English' }),
    details: entryDetails,
    actor: Type.Enum([...actorKinds], {
      $id: 'TimelineActor',
      description:
        'Who did it: your own API key or dashboard, your reseller, the service, the marketplace, who runs the service',
    }),
  },
  { $id: 'TimelineEntry', description: 'Something that happened to an item' },
);

/** The answer of `GET /integration/v1/items/{external_id}/timeline`. Source: interface-decisions "Items". */
export const timelineSchema = Type.Object(
  {
    entries: Type.Array(timelineEntrySchema, {
      description: 'Newest first; the very first says why the item waits, while it does',
    }),
    nextBefore: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: '`before` of the next page; null when there is nothing older',
    }),
  },
  { $id: 'Timeline', title: 'Timeline', description: 'What happened to an item, when, by whom, and why it waits' },
);
export type TimelineAnswer = Static<typeof timelineSchema>;

const limits = { min: 1, max: 500, standard: 100 } as const;
const numbers = { min: 1, max: 1_000_000_000 } as const;

export const timelineParameters = {
  limit: {
    component: 'TimelineLimit',
    description: `At most so many entries; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  before: {
    component: 'TimelineBefore',
    description: '`nextBefore` of the page before',
    schema: Type.Integer({ minimum: numbers.min, maximum: numbers.max }),
  },
};

/** Throws Refusal BAD_REQUEST. */
export function readTimelineQuery(query: Readonly<Record<string, string>>): TimelinePage {
  const { limit, before } = readQuery(query, { limit: wholeNumber(limits), before: wholeNumber(numbers) });
  return { limit: limit ?? limits.standard, before: before ?? null };
}
