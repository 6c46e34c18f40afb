import express, { type Request, type Router } from 'express';
import { v4Operations, type Operation, type OperationName } from '../../../gateways/marketplace/v4-operations.ts';
import { fieldsOf } from '../../kit/fields.ts';
import { jsonBodyOf } from '../../kit/request-body.ts';
import type { User } from '../records/user-book.ts';
import type { World } from '../records/world.ts';
import { checkObject, checkQuery } from './check-request.ts';
import { listingHandlers } from './listing-handlers.ts';
import { orderHandlers } from './order-handlers.ts';
import { readHandlers } from './read-handlers.ts';
import { referenceHandlers } from './reference-handlers.ts';
import { forbidden, tooManyRequests, unauthorized } from './refusals.ts';
import { userHandlers } from './user-handlers.ts';
import type { WireCall, WireHandler } from './wire-call.ts';

/** Who may call. The public key stands in the address of the login page. */
export interface Application {
  readonly appId: string;
  readonly appKey: string;
  readonly publicKey: string;
}

export interface Gate {
  readonly world: World;
  readonly application: Application;
}

const operations: Readonly<Record<string, Operation>> = v4Operations;
const handlers: Readonly<Record<OperationName, WireHandler>> = {
  ...listingHandlers,
  ...readHandlers,
  ...orderHandlers,
  ...referenceHandlers,
  ...userHandlers,
};

/** The marketplace's REST v4, route by route as the table of the interface says. */
export function wireRoutes(gate: Gate): Router {
  const router = express.Router();
  for (const [name, handler] of Object.entries(handlers)) {
    const operation = operations[name];
    if (operation === undefined) continue;
    const method = methods[operation.method];
    router[method](operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (request, response) => {
      const body = handler(admit(gate, request, { name, ...operation }));
      if (body === undefined) response.status(200).end();
      else response.status(200).json(body);
    });
  }
  return router;
}

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

type Asked = Pick<Operation, 'credential' | 'query' | 'request'> & { readonly name: string };

/** Checks application, user, budget and input, in this order, so that a caller who is refused uses no budget. */
export function admit({ world, application }: Gate, request: Request, operation: Asked): WireCall {
  const now = world.present();
  if (operation.credential !== 'none') checkApplication(application, request);
  const user = operation.credential === 'user' ? userOf(world, request, now) : noUser;
  if (operation.credential !== 'none') spend(world, operation.name, now);
  const input = operation.request === undefined ? {} : jsonBodyOf(request);
  if (operation.request !== undefined) checkObject(operation.request, input);
  const query = checkQuery(operation.query ?? {}, request);
  return { world, request, user, now, query, input, body: fieldsOf(input) };
}

const noUser: User = { userId: '', number: 0, isRestricted: false, tokens: [], secretKeys: [] };

function checkApplication({ appId, appKey }: Application, request: Request): void {
  if (request.get('X-App-Id') !== appId || request.get('X-App-Key') !== appKey)
    throw unauthorized('the application or its key is unknown');
}

function userOf({ users, switches }: World, request: Request, now: number): User {
  const user = users.authenticate(request.get('X-User-Id') ?? '', request.get('X-User-Token') ?? '', now);
  if (user !== undefined) return user;
  const words = 'the user or the token is unknown, or the token has expired';
  throw switches.is('badToken', '403') ? forbidden(words) : unauthorized(words);
}

function spend({ budget, switches }: World, operation: string, now: number): void {
  const waitMs = budget.spend(operation, now);
  if (waitMs === undefined) return;
  const refusal = tooManyRequests('no calls are left today');
  if (switches.is('retryAfter', 'yes')) refusal.headers = { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
  throw refusal;
}
