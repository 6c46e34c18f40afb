import Type from 'typebox';
import { currencySchema, decimalNumber } from '../number.ts';

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
