import { listingDefaultsSchema, readListingDefaults as readBody } from '../../schemas/items/listing-terms.ts';
import {
  begunLoginSchema,
  marketplaceConnectionSchema,
  marketplaceCredentialsSchema,
  marketplaceReturnSchema,
  readMarketplaceCredentials,
  readMarketplaceReturn,
} from '../../schemas/partner/marketplace-connection.ts';
import { type Route, ok, noContent, type ScopedCall } from '../http/route.ts';
import {
  changeListingDefaults,
  readListingDefaults,
  readMarketplaceConnection,
  removeMarketplaceConnection,
  setMarketplaceConnection,
} from '../../features/listings/marketplace-connection.ts';
import { beginMarketplaceLogin, completeMarketplaceLogin } from '../../features/listings/marketplace-login.ts';

const connection = {
  path: '/partner/marketplace-connection',
  credential: 'jwt',
  tag: 'Marketplace connection',
} as const;

export const marketplaceRoutes: readonly Route[] = [
  {
    ...connection,
    name: 'getMarketplaceConnection',
    method: 'get',
    summary: 'Read the connection to the marketplace',
    description:
      '404 while nothing is connected. `expired`: the marketplace takes the token no longer, and what is to be published waits until the account is connected again.',
    answers: { 200: { description: 'The connection, without its token', schema: marketplaceConnectionSchema } },
    refusals: ['NOT_FOUND'],
    handle: async ({ scope, context }: ScopedCall) => ok(readMarketplaceConnection(context, scope)),
  },
  {
    ...connection,
    name: 'connectMarketplace',
    method: 'put',
    summary: 'Connect to the marketplace, or connect again',
    description:
      'What an expired token, or having none, had stopped goes on by itself: a few items at once, some 30 a second, so that a large stock takes minutes. Connecting as another user of the marketplace is refused (409) while auctions of the present one are up or unpaid. The token is tried when it is first used: a wrong one shows as `expired` soon after.',
    request: { schema: marketplaceCredentialsSchema },
    answers: {
      200: {
        description: 'Connected; what an expired token had stopped is retried',
        schema: marketplaceConnectionSchema,
      },
    },
    refusals: ['CONFLICT'],
    handle: async ({ scope, body, context }: ScopedCall) =>
      ok(setMarketplaceConnection(context, scope, readMarketplaceCredentials(body))),
  },
  {
    ...connection,
    path: '/partner/marketplace-connection/login',
    name: 'beginMarketplaceLogin',
    method: 'post',
    summary: "Begin a login on the marketplace's own page",
    description:
      'The answer names the page to send the browser to. From there it comes back to the dashboard, which completes the login. 409 where the service has no such login: then user id and token are sent instead.',
    answers: { 200: { description: 'Begun; it can be completed for an hour', schema: begunLoginSchema } },
    refusals: ['CONFLICT'],
    handle: async ({ scope, context }: ScopedCall) => ok(beginMarketplaceLogin(context, scope)),
  },
  {
    ...connection,
    path: '/partner/marketplace-connection/login/complete',
    name: 'completeMarketplaceLogin',
    method: 'post',
    summary: 'Complete a login on the marketplace’s own page',
    description:
      'The account is connected as the user that consented, as by a PUT. Only the account that began the login can complete it. 404 when it began none, or more than an hour ago; 409 when the marketplace knows of no consent.',
    request: { schema: marketplaceReturnSchema },
    answers: { 200: { description: 'Connected', schema: marketplaceConnectionSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
    handle: async ({ scope, body, context }: ScopedCall) =>
      ok(completeMarketplaceLogin(context, scope, readMarketplaceReturn(body))),
  },
  {
    ...connection,
    name: 'disconnectMarketplace',
    method: 'delete',
    summary: 'Forget the connection to the marketplace',
    description:
      'The token is forgotten at once. Auctions that are up stay up, but the service can no longer change or end them, nor learn how they end; what happened to them is read after the next connection, as the same user. What is to be published meanwhile waits.',
    answers: { 204: { description: 'Nothing is connected' } },
    handle: async ({ scope, context }: ScopedCall) => noContent(removeMarketplaceConnection(context, scope)),
  },
];

const defaults = {
  path: '/partner/listing-defaults',
  credential: 'jwt',
  forMembers: true,
  tag: 'Items',
} as const;

/** The terms that an account sets once for all its auctions. */
export const listingRoutes: readonly Route[] = [
  {
    ...defaults,
    method: 'get',
    name: 'getListingDefaults',
    summary: 'Read the terms of the account’s auctions',
    description: 'An item’s own `listing` goes before them, field by field. An empty object: the account has set none.',
    answers: { 200: { description: 'As they were set', schema: listingDefaultsSchema } },
    refusals: ['NOT_FOUND'],
    handle: async ({ context, scope }: ScopedCall) => ok(readListingDefaults(context, scope)),
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
    handle: async ({ context, scope, body }: ScopedCall) => ok(changeListingDefaults(context, scope, readBody(body))),
  },
];
