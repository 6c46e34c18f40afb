import Type, { type TObject } from 'typebox';

import type { DeliveredType } from '../../core/events/event-types.ts';

interface EventDescription<Data extends TObject> {
  /** Name in the interface document. */
  readonly id: string;
  readonly description: string;
  readonly data: Data;
}

/**
 * The body of a delivery of one event type. Fields may be added over time, so the schema does not forbid further ones.
 * Source: specification "Envelope" and "Versioning" 3.
 */
export function eventEnvelope<Name extends DeliveredType, Data extends TObject>(
  eventType: Name,
  { id, description, data }: EventDescription<Data>,
) {
  return Type.Object(
    {
      eventId: Type.String({
        pattern: '^evt_.+$',
        description: 'Unique per occurrence; the same for every delivery of it, so receivers can drop repeats',
      }),
      eventType: Type.Literal(eventType),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
      data,
    },
    { $id: id, title: id, description },
  );
}
