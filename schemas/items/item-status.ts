import Type, { type Static } from 'typebox';
import { imageFailureKinds } from '../../features/images/rules/image-failure.ts';
import { marketplaceStatuses, serviceStatuses } from '../../features/items/rules/transitions.ts';
import { itemProblems } from '../../features/operations/rules/reasons.ts';
import { decimalNumber } from '../fields.ts';

export const serviceStatusSchema = Type.Enum([...serviceStatuses], {
  $id: 'ServiceStatus',
  description: 'State on the service',
});
export const marketplaceStatusSchema = Type.Enum([...marketplaceStatuses], {
  $id: 'MarketplaceStatus',
  description: 'State on the marketplace; pending_sync until the first publication and while one is being made',
});

export const itemProblemSchema = Type.Unsafe<string>({
  $id: 'ItemProblem',
  enum: [...itemProblems],
  description: 'Why the item needs attention: what it waits for, or what failed before it came to rest',
});

/** The answer of `GET /integration/v1/items/{external_id}`. Source: specification "Item status (read response)". */
export const itemStatusSchema = Type.Object(
  {
    externalId: Type.String({ description: "The caller's identifier" }),
    serviceItemId: Type.String({ format: 'uuid', description: "The service's id of the item" }),
    serviceStatus: serviceStatusSchema,
    marketplaceStatus: marketplaceStatusSchema,
    pendingChanges: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Fields that the running auction does not show, because the marketplace changes nothing but prices on one; they are kept for the next publication. Left out when there are none',
        examples: [['title', 'imageUrls', 'listing.vatPercent']],
      }),
    ),
    marketplaceAdId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'null until published; starts with `pending` while a publication is being made',
    }),
    marketplaceAdUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uri',
      description: 'Address of the auction; null until published',
    }),
    price: decimalNumber({ minimum: 0, description: 'Current price in SEK', examples: [149.5] }),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'How many are left, the one in the auction among them; only of an item that has a quantity',
      }),
    ),
  },
  { $id: 'ItemStatus', title: 'ItemStatus', description: 'Where an item stands' },
);
export type ItemStatus = Static<typeof itemStatusSchema>;

export const imageFailureKindSchema = Type.Enum([...imageFailureKinds], {
  $id: 'ImageFailureKind',
  description: 'Why an image could not be used, as a word of a closed list',
});
