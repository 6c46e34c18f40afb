import Type, { type TObject } from 'typebox';
import type { DeliveredType } from '../../features/webhooks/rules/event-types.ts';
import { currencySchema, decimalNumber } from '../fields.ts';

const account = Type.Object(
  {
    serviceUserId: Type.String({ format: 'uuid', description: 'The account that owns the item' }),
    memberExternalId: Type.Optional(
      Type.String({ description: "The reseller's reference for the member; only on members-scope deliveries" }),
    ),
  },
  { $id: 'EventAccount', description: 'Whose item it is' },
);

/** Platform of an event; for a sale, the platform of the sale. Source: specification "Envelope". */
export const platforms = ['marketplace', 'service', 'service_card', 'service_mobile'] as const;
export const platformSchema = Type.Enum([...platforms], { $id: 'Platform', description: 'Where it happened' });

/** Fields of `data` in every event. Source: specification "Envelope", interface-decisions "Events and webhooks". */
export const commonEventData = {
  externalId: Type.String({ description: "The caller's identifier of the item" }),
  serviceItemId: Type.String({ format: 'uuid', description: "The service's id of the item" }),
  platform: platformSchema,
  salePrice: decimalNumber({ minimum: 0, description: 'SEK; 0 for every event that is no sale' }),
  currency: currencySchema,
  sequence: Type.Integer({ minimum: 1, description: 'Grows with every event of an item; tells which of two is newer' }),
  account,
  test: Type.Optional(
    Type.Literal(true, { description: 'Only on what was sent to try out an endpoint: nothing happened to any item' }),
  ),
};

export const marketplaceAdId = Type.String({ description: "The marketplace's id of the auction" });

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
