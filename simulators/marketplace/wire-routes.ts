import express, { type Request, type Router } from 'express';
import { queryText } from '../kit/admin-routes.ts';
import { fieldsOf, Refusal } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import { endAuction, markPaid, placeBid, removeListing } from './auction.ts';
import { parseImage } from './image-shelf.ts';
import { parseAutoCommit, parseListing, parsePrices, parseRevision } from './listing-input.ts';
import { readOrders, shipOrder } from './orders.ts';
import {
  addImage,
  commitRequest,
  createDraft,
  readResults,
  requestRevision,
  sellersListing,
  type SellerCall,
} from './publishing.ts';
import { readSellerItems, readTransactions, readUpdatedItems } from './seller-reads.ts';
import type { World } from './world.ts';

export interface Application {
  readonly appId: string;
  readonly appKey: string;
}

interface WireContext {
  readonly world: World;
  readonly application: Application;
  /** Known once the simulator listens. */
  readonly siteUrl: () => string;
}

interface WireCall extends SellerCall {
  readonly request: Request;
}

interface WireAnswer {
  readonly status: number;
  readonly body?: unknown;
}

interface WireRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly credential: 'application' | 'user';
  readonly answer: (call: WireCall, context: WireContext) => WireAnswer;
}

/** The part of the marketplace's REST v4 that the product uses. */
const routes: readonly WireRoute[] = [
  { method: 'post', path: '/v4/auth/token', credential: 'application', answer: redeemSecretKey },
  { method: 'post', path: '/v4/listings/items', credential: 'user', answer: postItem },
  { method: 'post', path: '/v4/listings/items/:requestId/images', credential: 'user', answer: postImage },
  { method: 'post', path: '/v4/listings/items/:requestId/commit', credential: 'user', answer: postCommit },
  { method: 'get', path: '/v4/listings/request-results', credential: 'user', answer: getResults },
  { method: 'get', path: '/v4/listings/seller-items', credential: 'user', answer: getSellerItems },
  // Before the route with a parameter, which would take "prices" for an item.
  { method: 'put', path: '/v4/listings/items/prices', credential: 'user', answer: putPrices },
  { method: 'put', path: '/v4/listings/items/:itemId', credential: 'user', answer: putItem },
  { method: 'delete', path: '/v4/listings/items/:itemId', credential: 'user', answer: deleteItem },
  { method: 'get', path: '/v4/listings/updated-seller-items', credential: 'user', answer: getUpdatedItems },
  { method: 'get', path: '/v4/orders/seller-transactions', credential: 'user', answer: getTransactions },
  { method: 'get', path: '/v4/orders', credential: 'user', answer: getOrders },
  { method: 'post', path: '/v4/orders/:orderId/ship', credential: 'user', answer: postShip },
  // For test keys. The real marketplace has neither route.
  { method: 'post', path: '/v4/sandbox/items/:itemId/end', credential: 'user', answer: postEnd },
  { method: 'post', path: '/v4/sandbox/transactions/:transactionId/pay', credential: 'user', answer: postPay },
];

/** The routes of the marketplace's REST interface. */
export function wireRoutes(context: WireContext): Router {
  const router = express.Router();
  for (const route of routes)
    router[route.method](route.path, (request, response) => {
      const answer = route.answer(admit(request, route, context), context);
      if (answer.body === undefined) response.status(answer.status).end();
      else response.status(answer.status).json(answer.body);
    });
  return router;
}

/** Checks application, user and budget, in this order, so that a refused call uses no budget. */
function admit(request: Request, route: WireRoute, { world, application }: WireContext): WireCall {
  const now = world.present();
  const userId = request.get('X-User-Id') ?? '';
  if (request.get('X-App-Id') !== application.appId || request.get('X-App-Key') !== application.appKey)
    throw new Refusal(401, 'InvalidApplication', 'the application or its key is unknown');
  if (route.credential === 'user') world.users.check(userId, request.get('X-User-Token') ?? '', now);
  world.budget.spend(`${route.method.toUpperCase()} ${route.path}`, now);
  return { userId, now, processingDelayMs: world.processingDelayMs, request };
}

function redeemSecretKey({ request, now }: WireCall, { world }: WireContext): WireAnswer {
  const fields = fieldsOf(jsonBodyOf(request));
  const userId = readUserId(fields.raw('userId'));
  const { token, expiresAt } = world.users.redeem(userId, fields.text('secretKey', { min: 32, max: 255 }), now);
  return { status: 200, body: { authToken: token, hardExpirationTime: new Date(expiresAt).toISOString() } };
}

function postItem(call: WireCall, { world }: WireContext): WireAnswer {
  const body = jsonBodyOf(call.request);
  const { requestId, itemId } = createDraft(world.listings, call, parseListing(body, call.now));
  const fields = fieldsOf(body);
  if (fields.has('autoCommit') && fields.flag('autoCommit')) commitRequest(world.listings, call, requestId);
  return { status: 200, body: { requestId, itemId } };
}

function postImage(call: WireCall, { world }: WireContext): WireAnswer {
  const name = world.images.keep(parseImage(jsonBodyOf(call.request)));
  addImage(world.listings, call, { requestId: pathNumber(call.request, 'requestId'), name });
  return { status: 204 };
}

function postCommit(call: WireCall, { world }: WireContext): WireAnswer {
  commitRequest(world.listings, call, pathNumber(call.request, 'requestId'));
  return { status: 202 };
}

function getResults(call: WireCall, { world }: WireContext): WireAnswer {
  const requestIds = (queryText(call.request, 'requestIds') ?? '').split(',');
  if (!requestIds.every((id) => /^\d{1,15}$/.test(id)))
    throw new Refusal(400, 'InvalidRequest', 'requestIds must be numbers with commas between');
  return { status: 200, body: { results: readResults(world.listings, call, requestIds.map(Number)) } };
}

function getSellerItems(call: WireCall, { world, siteUrl }: WireContext): WireAnswer {
  const filter = queryText(call.request, 'filterActive') ?? 'All';
  const page = Number(queryText(call.request, 'page') ?? '1');
  if (filter !== 'All' && filter !== 'Active' && filter !== 'Inactive')
    throw new Refusal(400, 'InvalidRequest', 'filterActive must be All, Active or Inactive');
  if (!Number.isInteger(page) || page < 1)
    throw new Refusal(400, 'InvalidRequest', 'page must be a whole number from 1');
  const query = { ownReference: queryText(call.request, 'ownReference'), filter, page, siteUrl: siteUrl() } as const;
  return { status: 200, body: readSellerItems(world.listings, call.userId, query) };
}

function putPrices(call: WireCall, { world }: WireContext): WireAnswer {
  const changes = parsePrices(jsonBodyOf(call.request));
  const requestId = requestRevision(world.listings, call, { changes, autoCommit: true });
  return { status: 200, body: { requestId } };
}

function putItem(call: WireCall, { world }: WireContext): WireAnswer {
  const body = jsonBodyOf(call.request);
  const changes = [parseRevision(pathNumber(call.request, 'itemId'), body)];
  const requestId = requestRevision(world.listings, call, { changes, autoCommit: parseAutoCommit(body) });
  return { status: 200, body: { requestId } };
}

function deleteItem(call: WireCall, { world }: WireContext): WireAnswer {
  removeListing(world.listings, call, pathNumber(call.request, 'itemId'));
  return { status: 204 };
}

function getUpdatedItems(call: WireCall, { world }: WireContext): WireAnswer {
  return { status: 200, body: { items: readUpdatedItems(world.listings, call.userId, sinceOf(call.request)) } };
}

function getTransactions(call: WireCall, { world }: WireContext): WireAnswer {
  return { status: 200, body: { transactions: readTransactions(world.listings, call.userId, sinceOf(call.request)) } };
}

/** Returns orders by change alone; `queryDateMode` 0, by creation, is not needed. */
function getOrders(call: WireCall, { world }: WireContext): WireAnswer {
  if (queryText(call.request, 'queryDateMode') !== '1')
    throw new Refusal(400, 'InvalidRequest', 'queryDateMode must be 1, by the last update');
  return { status: 200, body: readOrders(world.listings, call.userId, timeIn(call.request, 'fromDate')) };
}

function postShip(call: WireCall, { world }: WireContext): WireAnswer {
  const orderId = pathNumber(call.request, 'orderId');
  shipOrder(world.listings, call, orderId);
  return { status: 200, body: { orderId } };
}

/** Ends an auction of the caller, after a last bid if one is requested. */
function postEnd(call: WireCall, { world: { listings } }: WireContext): WireAnswer {
  const { request, now: at } = call;
  const listing = sellersListing(listings, call, pathNumber(request, 'itemId'));
  const fields = fieldsOf(jsonBodyOf(request));
  const amount = fields.has('bid') ? fields.number('bid', { whole: true, min: 1, max: 10_000_000 }) : null;
  const last = amount === null ? listing : placeBid(listings, listing, { amount, at, bidder: 'sandbox' });
  endAuction(listings, last, at);
  return { status: 204 };
}

function postPay({ request, userId, now }: WireCall, { world: { listings } }: WireContext): WireAnswer {
  const transaction = listings.transaction(pathNumber(request, 'transactionId'));
  if (transaction?.userId !== userId) throw new Refusal(404, 'NotFound', 'there is no such transaction');
  markPaid(listings, transaction, now);
  return { status: 204 };
}

/** The real marketplace's user ids are numbers; texts are accepted, too. */
export function readUserId(value: unknown): string {
  const userId = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof userId !== 'string' || !/^[\w.@-]{1,100}$/.test(userId))
    throw new Refusal(400, 'InvalidRequest', 'userId must be a number, or 1 to 100 letters, digits and . _ @ -');
  return userId;
}

const sinceOf = (request: Request): number => timeIn(request, 'since');

function timeIn(request: Request, name: string): number {
  const time = Date.parse(queryText(request, name) ?? '');
  if (Number.isNaN(time)) throw new Refusal(400, 'InvalidRequest', `${name} must be a time in ISO 8601`);
  return time;
}

/** A text that is no number matches no record. */
export function pathNumber(request: Request, name: string): number {
  const value = request.params[name];
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value))
    throw new Refusal(404, 'NotFound', `there is nothing at ${request.path}`);
  return Number(value);
}
