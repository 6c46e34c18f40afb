import { randomUUID } from 'node:crypto';
import { callAdmin } from '../../../test/support/world.ts';
import type { Temper } from './receivers.ts';

export interface OwnEndpoint {
  readonly id: string;
  readonly receiver: string;
  readonly secret: string;
  readonly createdAt: number;
  readonly isReachable: boolean;
}

/** A partner as the load plays it: everything by HTTP, with a key for its items and a session for the rest. */
export interface Account {
  readonly name: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly endpoints: readonly OwnEndpoint[];
  /** Throws when the answer is no success, or none came. */
  manage(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  addEndpoint(receiver: string, temper: Temper): Promise<void>;
}

export interface AccountOptions {
  readonly name: string;
  readonly apiUrl: string;
  /** As the service reaches them. */
  readonly receiversUrl: string;
  /** null: it is connected to no marketplace. */
  readonly marketplaceAdminUrl: string | null;
  readonly addReceiver: (receiver: string, temper: Temper) => void;
}

export async function openAccount(options: AccountOptions): Promise<Account> {
  const { name, apiUrl, receiversUrl, addReceiver } = options;
  const credentials = { email: `${name}-${randomUUID()}@example.com`, password: randomUUID() };
  const session = await signIn(`${apiUrl}/auth/register`, { ...credentials, name });
  const { id } = session.account;
  let token = session.accessToken;
  const manage: Account['manage'] = async (method, path, body) => {
    const attempt = (): Promise<Response> => send(`${apiUrl}${path}`, { method, token, body });
    let answer = await attempt();
    if (answer.status === 401) {
      token = (await signIn(`${apiUrl}/auth/login`, credentials)).accessToken;
      answer = await attempt();
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  const { apiKey } = await manage('POST', '/integration/api-keys/generate', { name: 'ERP' });
  if (options.marketplaceAdminUrl !== null) {
    const { token: marketplaceToken } = await callAdmin(`${options.marketplaceAdminUrl}/users`, 'POST', { userId: id });
    const credentialsThere = { marketplaceUserId: id, token: marketplaceToken };
    await manage('PUT', '/partner/marketplace-connection', credentialsThere);
  }
  const endpoints: OwnEndpoint[] = [];
  return {
    name,
    id,
    headers: { 'x-api-key': String(apiKey), 'content-type': 'application/json' },
    endpoints,
    manage,
    addEndpoint: async (receiver, temper) => {
      addReceiver(receiver, temper);
      const isReachable = temper !== 'gone';
      const wish = { url: `${receiversUrl}/${receiver}`, eventTypes: [], autoRecover: isReachable };
      const { id: endpointId, secret } = await manage('POST', '/integration/webhooks', wish);
      const made = { id: String(endpointId), secret: String(secret), createdAt: Date.now() };
      endpoints.push({ ...made, receiver, isReachable });
    },
  };
}

interface Session {
  readonly accessToken: string;
  readonly account: { readonly id: string };
}

async function signIn(url: string, body: object): Promise<Session> {
  const answer = await send(url, { method: 'POST', body });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Session;
}

const send = (
  url: string,
  { method, token, body }: { method: string; token?: string; body?: unknown },
): Promise<Response> =>
  fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
