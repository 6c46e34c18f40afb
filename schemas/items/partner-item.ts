import Type, { type Static } from 'typebox';
import { nullableTime } from '../time.ts';
import { itemFullSchema } from './item-full.ts';

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
    canRetry: Type.Boolean({ description: 'Whether asking for another try would change anything' }),
    workflow: Type.Union([workflowSchema, Type.Null()], {
      description: 'Where its work is, for the session of an operator; null for everybody else',
    }),
  },
  { $id: 'PartnerItem', title: 'PartnerItem', description: 'Everything about an item, for the dashboard' },
);
export type PartnerItemAnswer = Static<typeof partnerItemSchema>;
