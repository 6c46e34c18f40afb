import Type from 'typebox';

import { itemChangers, itemChanges } from '../../core/events/outbox.ts';
import { serviceStatuses } from '../../core/items/transitions.ts';
import { decimalNumber } from '../number.ts';
import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

/** Beside the specified events (decision 147). */
export const itemChangedSchema = eventEnvelope('item.changed', {
  id: 'ItemChangedEvent',
  description: "Another than a key of the item's own account changed an item; only for who names the type",
  data: Type.Object(
    {
      ...commonEventData,
      what: Type.Enum([...itemChanges], {
        $id: 'ItemChange',
        description:
          '`taken_down`: it is off sale, by a status, because none is left, or because its auction was removed at the marketplace itself',
      }),
      by: Type.Enum([...itemChangers], { $id: 'ItemChanger', description: 'Who did it' }),
      price: decimalNumber({ minimum: 0, description: 'SEK; the price of the item after the change' }),
      previousPrice: Type.Optional(
        decimalNumber({ minimum: 0, description: 'SEK; the price before. Only where `what` is `price`' }),
      ),
      quantityLeft: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'How many are left after the change; only of an item that has a quantity',
        }),
      ),
      serviceStatus: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        enum: [...serviceStatuses, null],
        description: 'Of the item after the change; null when it is gone',
      }),
    },
    { $id: 'ItemChangedEventData' },
  ),
});
