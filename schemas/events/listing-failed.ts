import Type, { type Static } from 'typebox';

import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const listingFailedSchema = eventEnvelope('listing.failed', {
  id: 'ListingFailedEvent',
  description: 'An auction could not be published, changed or taken down, or waits for something; sent once per cause',
  data: Type.Object(
    {
      ...commonEventData,
      error: Type.String({ pattern: '^[A-Z][A-Z_]*: .+', description: 'A stable code, a colon, and words for people' }),
    },
    { $id: 'ListingFailedEventData' },
  ),
});
export type ListingFailedEvent = Static<typeof listingFailedSchema>;
