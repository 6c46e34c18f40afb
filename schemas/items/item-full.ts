import Type, { type Static } from 'typebox';
import { stages, waits, type WaitingFor } from '../../features/items/rules/processing.ts';
import { currencySchema, nullableTime } from '../fields.ts';
import { imageFailureKindSchema, itemProblemSchema, itemStatusSchema } from './item-status.ts';
import { listingTermsSchema } from './listing-terms.ts';

const nullableText = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], format: 'double', description });

export const waitingForSchema = Type.Union([
  Type.Unsafe<WaitingFor>({ $id: 'WaitingFor', enum: [...waits], description: 'What the work on an item waits for' }),
  Type.Null({ description: 'It does not wait' }),
]);

const imageFailureSchema = Type.Object(
  {
    kind: imageFailureKindSchema,
    number: Type.Optional(
      Type.Number({
        format: 'double',
        description: 'The HTTP status, or the limit that was passed: seconds, MB or millions of pixels',
      }),
    ),
    detail: Type.Optional(Type.String({ description: 'What a technician needs besides, in English' })),
  },
  { $id: 'ImageFailure', description: 'Why an image could not be used, as data' },
);

const imageSchema = Type.Object(
  {
    sourceUrl: Type.String({ description: 'As it was pushed' }),
    state: Type.Enum(['pending', 'hosted', 'failed'], { $id: 'ImageState', description: 'How far it has come' }),
    url: nullableText('Where the service hosts it; null until it does'),
    thumbnailUrl: nullableText('The same, at most 400 pixels on the longest side'),
    reason: nullableText('Why it failed, in English, with what helps'),
    failure: Type.Union([imageFailureSchema, Type.Null()], { description: 'The same as data' }),
  },
  { $id: 'ItemImage', description: 'An image of an item' },
);

const processingSchema = Type.Object(
  {
    stage: Type.Enum([...stages], { $id: 'ProcessingStage', description: 'What is being done, or was done last' }),
    waitingFor: waitingForSchema,
    attempts: Type.Integer({ minimum: 0 }),
    lastError: nullableText('What went wrong last'),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'ItemProcessing', description: 'How far the work on an item has come' },
);

const auctionSchema = Type.Object(
  {
    endsAt: nullableTime('When it ends'),
    bids: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description: 'How many there are' }),
    currentPrice: nullableNumber('The highest bid, or the start price without one, in SEK'),
    seenAt: nullableTime('When the service looked. No later look brought anything else'),
  },
  {
    $id: 'ItemAuction',
    description:
      'The running auction as of the last look that brought news of it; its fields are null before the first',
  },
);

/** The answer of `GET /integration/v1/items/{external_id}?view=full`. Source: interface-decisions "Items". */
const itemFullSchema = Type.Object(
  {
    ...itemStatusSchema.properties,
    title: Type.String(),
    description: Type.String(),
    shippingCost: nullableNumber('Flat shipping in SEK; 0 is free, null was not given'),
    weightKg: nullableNumber('Weight in kg'),
    currency: currencySchema,
    imageUrls: Type.Array(Type.String()),
    useAiEnhancement: Type.Boolean(),
    autoPublishTradera: Type.Boolean({
      description:
        'Publication was asked for, by the first PUT or by publish; false when it was called off before it began',
    }),
    original: Type.Optional(
      Type.Object(
        { title: Type.String(), description: Type.String() },
        { $id: 'OriginalText', description: "The caller's own text, when the service improved it" },
      ),
    ),
    images: Type.Array(imageSchema),
    extendedAttributes: Type.Record(Type.String(), Type.Unknown(), {
      description: "The domain in flat form: its slug, the attributes beside it, and the service's own keys",
    }),
    listing: Type.Union([listingTermsSchema, Type.Null()], { description: 'The terms as pushed; null without' }),
    auction: Type.Union([auctionSchema, Type.Null()], { description: 'null while none runs' }),
    processing: processingSchema,
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'ItemFull', title: 'ItemFull', description: 'Everything about an item' },
);

/** The answer of the read in either view. */
export const itemStatusOrFullSchema = Type.Union([itemFullSchema, itemStatusSchema], {
  $id: 'ItemRead',
  title: 'ItemRead',
  description: 'The whole item with `view=full`, else its status',
});
export type ItemFull = Static<typeof itemFullSchema>;

const workflowSchema = Type.Object(
  {
    id: Type.String({ description: "The workflow's id in the engine" }),
    url: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Its page in the Temporal UI, or the list of its runs, which may be empty; null where the service knows of no UI',
    }),
    stuckUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'The list in the Temporal UI of all that is stuck for the same reason; null when nothing holds the item up, or the service knows of no UI',
    }),
  },
  { $id: 'ItemWorkflow', description: 'Where the work on an item is' },
);

/** The answer of `GET /partner/items/{external_id}`. */
export const partnerItemSchema = Type.Object(
  {
    ...itemFullSchema.properties,
    processing: Type.Object(
      {
        ...itemFullSchema.properties.processing.properties,
        since: nullableTime('When the present trouble began; null when there is none'),
        nextTryAt: nullableTime(
          'When what it waits for is tried again by itself, at the latest; null when it does not wait',
        ),
      },
      { $id: 'PartnerItemProcessing', description: 'How far the work on an item has come, and when it goes on' },
    ),
    problem: Type.Union([itemProblemSchema, Type.Null()], {
      description: 'Why the item needs attention, as in a list of items with a problem; null when it does not',
    }),
    canRetry: Type.Boolean({ description: 'Whether asking for another try would change anything' }),
    workflow: Type.Union([workflowSchema, Type.Null()], {
      description: 'Where its work is, for the session of an operator; null for everybody else',
    }),
  },
  { $id: 'PartnerItem', title: 'PartnerItem', description: 'Everything about an item, for the dashboard' },
);
export type PartnerItemAnswer = Static<typeof partnerItemSchema>;
