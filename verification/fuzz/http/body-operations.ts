import { createHmac } from 'node:crypto';
import { routes } from '../../../api/routes.ts';
import { anItemBody } from '../../../test/support/audit-steps.ts';
import type { TestAccount } from '../../../test/support/api-world.ts';
import { strangerBodies } from '../../../test/support/stranger-bodies.ts';
import { writeExamples } from '../../../test/support/write-examples.ts';
import type { FuzzSystem } from '../support/fuzz-system.ts';
import type { HttpRequest } from './input.ts';
import { toJsonText, type JsonText } from './json-text.ts';

/** An operation that takes a body, with one that is as it should be. */
export interface BodyOperation {
  /** `put /integration/v1/items/{external_id}` */
  readonly name: string;
  readonly example: JsonText;
  readonly isStream: boolean;
  /** It asks for no credential. */
  readonly isForStrangers: boolean;
  /** The call with this body; `name` makes whatever it creates one of its own. */
  readonly request: (body: string | Buffer, name: string) => HttpRequest;
}

interface Call {
  readonly path: string;
  readonly token?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An item with all that a partner can say, so that there is something to change. */
const wholeItem = {
  ...anItemBody,
  description: 'Framdörr',
  shippingCost: 49,
  weightKg: 12.5,
  currency: 'SEK',
  schemaVersion: '1.0.0',
  domain: {
    domain: 'auto_parts',
    vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2009, vehicleType: 'Bil' },
    part: { name: 'Dörr', oemNumber: '31298562', catalogCodes: { eurocode: '8838LGSH5RD' } },
    conditionGrade: 'A',
    conditionNote: null,
  },
};

/** Every operation of the table that takes a body, on things that are there. Throws for one that nobody gave an example of. */
export async function bodyOperations(system: FuzzSystem): Promise<BodyOperation[]> {
  const examples = writeExamples(() => system.world);
  const { account, keyed, member } = system;
  const bodies: Readonly<Record<string, object>> = strangerBodies(account);
  const more: Readonly<Record<string, () => Promise<Call>>> = {
    'put /integration/v1/items/{external_id}': async () => ({
      path: '/integration/v1/items/a',
      apiKey: keyed.apiKey,
      body: wholeItem,
    }),
    // A right one would change the password that the fuzzer signs in with.
    'post /auth/password': async () => ({
      path: '/auth/password',
      token: account.token,
      body: { oldPassword: 'not the password', newPassword: 'another password' },
    }),
    // Refused, because the key is live.
    'post /integration/v1/sandbox/items/{external_id}/sell': async () => ({
      path: '/integration/v1/sandbox/items/a/sell',
      apiKey: keyed.apiKey,
      body: { price: 450 },
    }),
    // Only a browser that comes back from the marketplace knows a login.
    'post /partner/marketplace-connection/login/complete': async () => ({
      path: '/partner/marketplace-connection/login/complete',
      token: account.token,
      body: { login: '0f3a4e5e-6f0b-4d3c-9a54-3a5b0c8d7e6f', marketplaceUserId: '4711' },
    }),
    // Nothing waits: the clock of a system does not move on for a member's sale.
    'post /business/my-deal/confirmations': async () => ({
      path: '/business/my-deal/confirmations',
      token: account.token,
      body: { memberUserId: member.id, orders: 1, sales: 150_000 },
    }),
    'post /stripe/webhook': async () => ({
      path: '/stripe/webhook',
      body: { id: 'evt_1', object: 'event', type: 'customer.subscription.updated', data: { object: { id: 'sub_1' } } },
    }),
    'post /integration/webhooks/{id}/test': async () => ({
      ...(await exampleOf('post /integration/webhooks/{id}/test')),
      body: { eventType: 'item.sold' },
    }),
    'post /integration/webhook-settings/test': async () => ({
      ...(await exampleOf('post /integration/webhook-settings/test')),
      body: { eventType: 'item.sold' },
    }),
  };
  const exampleOf = async (name: string): Promise<Call> => {
    const example = examples[name];
    if (example === undefined) throw new Error(`nothing is known that ${name} would accept`);
    return example.call(accountOf(system, name));
  };
  const operations: BodyOperation[] = [];
  for (const { method, path, request, credential } of routes) {
    if (request === undefined) continue;
    const name = `${method} ${path}`;
    const body = bodies[name];
    const call = body === undefined ? await (more[name]?.() ?? exampleOf(name)) : { path, body };
    operations.push(operationOf(name, call, { type: request.asStream, isForStrangers: credential === 'none', system }));
  }
  return operations;
}

/** The examples make the first account a reseller, which can be no member. */
function accountOf({ account, keyed, member }: FuzzSystem, name: string): TestAccount {
  if (/ \/integration\/v1\//.test(name)) return keyed;
  return name.endsWith(' /business/my-deal') ? member : account;
}

function operationOf(
  name: string,
  { path, token, apiKey, body, headers: ownHeaders }: Call,
  { type, isForStrangers, system }: { type: string | undefined; isForStrangers: boolean; system: FuzzSystem },
): BodyOperation {
  const [method = ''] = name.split(' ');
  const headers = () => ({
    ...ownHeaders,
    'Content-Type': type ?? 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${accountOf(system, name).token}` }),
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  });
  const isItem = name === 'put /integration/v1/items/{external_id}';
  return {
    name,
    example: toJsonText(body ?? {}),
    isStream: type !== undefined,
    isForStrangers,
    request: (bytes, own) => ({
      method: method.toUpperCase(),
      path: isItem ? `/integration/v1/items/${own}` : path,
      headers: { ...headers(), ...(path === '/stripe/webhook' && signature(bytes, system.paymentSecret)) },
      body: name === 'post /auth/register' ? withOwnEmail(bytes, own) : bytes,
    }),
  };
}

/** What the payment processor has not signed is refused unread. */
function signature(body: string | Buffer, secret: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { 'Stripe-Signature': `t=${seconds},v1=${digest}` };
}

const withOwnEmail = (body: string | Buffer, own: string): string | Buffer =>
  typeof body === 'string' ? body.replace('new@example.se', `${own}@example.se`) : body;
