import type { ApiWorld, Reply, TestAccount } from './api-world.ts';

export const anItemBody = { title: 'Dörr', price: 100, imageUrls: [] };
export const hookUrl = 'https://hooks.example.se/T0/secret-path?token=hidden';
export const aHookBody = { url: hookUrl, eventTypes: [], scope: 'self', description: '' };

/** What the tests of the log do again and again. */
export function auditSteps(world: () => ApiWorld) {
  /** The log as it is answered. */
  const log = async (token: string, query = ''): Promise<Reply['body']> =>
    (await world().call('GET', `/partner/audit-log${query}`, { token })).body;
  const kindsOf = async (token: string): Promise<string[]> =>
    (await log(token)).entries.map(({ kind }: { kind: string }) => kind);
  const anEndpoint = async ({ token }: TestAccount): Promise<string> =>
    (await ok(world().call('POST', '/integration/webhooks', { token, body: aHookBody }))).body.id;
  const aKeyId = async ({ token }: TestAccount): Promise<string> =>
    (await world().call('GET', '/integration/api-keys', { token })).body.keys[0].id;
  const setUrl = ({ token }: TestAccount): Promise<Reply> =>
    ok(world().call('PUT', '/integration/webhook-settings', { token, body: { webhookUrl: hookUrl } }));
  const connect = ({ token }: TestAccount, secret = 'seller-token'): Promise<Reply> => {
    const body = { marketplaceUserId: '4711', token: secret };
    return ok(world().call('PUT', '/partner/marketplace-connection', { token, body }));
  };
  /** While the log of these accounts can't be written. Locks the collection, which fails transactions of tests beside it. */
  const withoutLog = async <T>(accounts: readonly TestAccount[], work: () => Promise<T>): Promise<T> => {
    const refuse = (validator: object) =>
      world().store.connection.db?.command({ collMod: 'audit', validator, validationLevel: 'strict' });
    await refuse({ accountId: { $nin: accounts.map(({ id }) => id) } });
    try {
      return await work();
    } finally {
      await refuse({});
    }
  };
  return { log, kindsOf, anEndpoint, aKeyId, setUrl, connect, withoutLog };
}

export async function ok(call: Promise<Reply>): Promise<Reply> {
  const reply = await call;
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`);
  return reply;
}
