import { listingDefaultsSchema } from '../../schemas/items/listing-terms.ts';
import type { Route } from '../http/route.ts';
import { getListingDefaults, putListingDefaults } from '../handlers/listing-defaults.ts';

const defaults = {
  path: '/partner/listing-defaults',
  credential: 'jwt',
  forMembers: true,
  tag: 'Items',
} as const;

/** What an account says once for all its auctions. */
export const listingRoutes: readonly Route[] = [
  {
    ...defaults,
    method: 'get',
    name: 'getListingDefaults',
    summary: 'Read the terms of the account’s auctions',
    description: 'An item’s own `listing` goes before them, field by field. An empty object: the account has set none.',
    answers: { 200: { description: 'As they were set', schema: listingDefaultsSchema } },
    refusals: ['NOT_FOUND'],
    handle: getListingDefaults,
  },
  {
    ...defaults,
    method: 'put',
    name: 'setListingDefaults',
    summary: 'Set the terms of the account’s auctions',
    description:
      'All at once: what is left out, or null, is as the service has it. They count for auctions that are put up afterwards; what runs keeps its terms.',
    request: { schema: listingDefaultsSchema },
    answers: { 200: { description: 'As they are now', schema: listingDefaultsSchema } },
    refusals: ['NOT_FOUND'],
    handle: putListingDefaults,
  },
];
