import Type, { type Static } from 'typebox';

import { commonEventData, marketplaceAdId } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const listingEndedSchema = eventEnvelope('listing.ended', {
  id: 'ListingEndedEvent',
  description: 'A marketplace auction closed without a winning bid; never sent when it was taken down',
  data: Type.Object({ ...commonEventData, marketplaceAdId }, { $id: 'ListingEndedEventData' }),
});
export type ListingEndedEvent = Static<typeof listingEndedSchema>;
