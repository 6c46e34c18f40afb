import Type, { type Static } from 'typebox';

import { commonEventData, marketplaceAdId } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const listingCreatedSchema = eventEnvelope('listing.created', {
  id: 'ListingCreatedEvent',
  description: 'A marketplace auction went live',
  data: Type.Object(
    {
      ...commonEventData,
      marketplaceAdId,
      marketplaceAdUrl: Type.String({ format: 'uri', description: 'Address of the auction' }),
    },
    { $id: 'ListingCreatedEventData' },
  ),
});
export type ListingCreatedEvent = Static<typeof listingCreatedSchema>;
