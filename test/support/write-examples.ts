import { randomUUID } from 'node:crypto';
import { accountId } from '../../features/rules/ids.ts';
import { markEmailVerified } from '../../features/accounts/store/accounts.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import { signIn } from './a-browser.ts';
import type { ApiWorld, CallOptions, TestAccount } from './api-world.ts';
import { failImages } from './failing-items.ts';
import { aHookBody, anItemBody, auditSteps, hookUrl, ok } from './audit-steps.ts';
import { present } from './clock.ts';

/** What a call needs to be there, and what it leaves in a log. */
export interface WriteExample {
  /** Path and options of a call that succeeds. */
  readonly call: (account: TestAccount) => Promise<{ path: string } & CallOptions>;
  /** Kind of the entry; of an item's timeline when the path is one of an item. */
  readonly leaves: string;
}

/** Whatever version the item is at: some writes require a condition. */
const unconditionally =
  (call: WriteExample['call']): WriteExample['call'] =>
  async (account) => ({ ...(await call(account)), headers: { 'If-Match': '*' } });

/** One for every route that changes something an account would ask for, by `method path`; a world with a `consentingLogin`. */
export function writeExamples(world: () => ApiWorld): Readonly<Record<string, WriteExample>> {
  const examples = namedExamples(world);
  return { ...examples, ...Object.fromEntries(Object.entries(examples).flatMap(byKey)) };
}

/** The routes of endpoints and deliveries have twins for keys: what is called by session is called there with the key. */
function byKey([name, { call, leaves }]: [string, WriteExample]): [string, WriteExample][] {
  if (!/ \/integration\/(webhooks|webhook-deliveries)/.test(name)) return [];
  const underV1 = (text: string): string => text.replace('/integration/', '/integration/v1/');
  const twin: WriteExample['call'] = async (account) => {
    const { token: _session, path, ...options } = await call(account);
    return { ...options, path: underV1(path), apiKey: account.apiKey };
  };
  return [[underV1(name), { call: twin, leaves }]];
}

function namedExamples(world: () => ApiWorld): Readonly<Record<string, WriteExample>> {
  const { anEndpoint, aKeyId, setUrl, connect } = auditSteps(world);
  const anItem = async ({ apiKey }: TestAccount): Promise<string> => {
    await ok(world().call('PUT', '/integration/v1/items/a', { apiKey, body: anItemBody }));
    return '/integration/v1/items/a';
  };
  const anOrder = async (account: TestAccount, amount = 100): Promise<string> => {
    await anItem(account);
    const body = { externalId: 'a', platform: 'service', amount, isAmountConfirmed: true };
    return (await ok(world().call('POST', '/partner/orders', { token: account.token, body }))).body.id;
  };
  const itemCall =
    (rest: string, body?: object): WriteExample['call'] =>
    async (account) => ({
      path: `${await anItem(account)}${rest}`,
      apiKey: account.apiKey,
      ...(body !== undefined && { body }),
    });
  /** The same by session. */
  const itemTwin =
    (rest: string, body?: object): WriteExample['call'] =>
    async (account) => {
      await anItem(account);
      return { path: `/partner/items/a${rest}`, token: account.token, ...(body !== undefined && { body }) };
    };
  const hookCall =
    (rest: string, body?: object): WriteExample['call'] =>
    async (account) => ({
      path: `/integration/webhooks/${await anEndpoint(account)}${rest}`,
      token: account.token,
      ...(body !== undefined && { body }),
    });

  async function beReseller({ email }: { email: string }): Promise<string> {
    const slug = `r-${randomUUID().slice(0, 13)}`;
    const { store, now } = world();
    await grantResellerAgreement({ store, now, newId: randomUUID }, { email, commissionBps: 100, slug });
    return slug;
  }

  async function memberOf(person: { email: string; token: string }): Promise<TestAccount> {
    return world().memberOf({ slug: await beReseller(person), token: person.token });
  }

  /** A reseller whose own address is confirmed: a write of the database, since a test of routes reads no mail. */
  async function beInviter({ id, email }: TestAccount): Promise<void> {
    await beReseller({ email });
    const { store, now } = world();
    await inTransaction(store, (session) =>
      markEmailVerified(store, { _id: accountId(id), email }, { at: now(), session }),
    );
  }

  return {
    'put /integration/v1/items/{external_id}': {
      call: ({ apiKey }) => Promise.resolve({ path: '/integration/v1/items/a', apiKey, body: anItemBody }),
      leaves: 'created',
    },
    'patch /integration/v1/items/{external_id}/price': {
      call: itemCall('/price', { price: 200 }),
      leaves: 'price_changed',
    },
    'patch /integration/v1/items/{external_id}/status': {
      call: itemCall('/status', { status: 'not_listed' }),
      leaves: 'status_changed',
    },
    'patch /integration/v1/items/{external_id}/quantity': {
      call: unconditionally(itemCall('/quantity', { quantity: 3 })),
      leaves: 'quantity_changed',
    },
    'patch /partner/items/{external_id}/quantity': {
      call: unconditionally(itemTwin('/quantity', { quantity: 3 })),
      leaves: 'quantity_changed',
    },
    'put /partner/listing-defaults': {
      call: ({ token }) => Promise.resolve({ path: '/partner/listing-defaults', token, body: { durationDays: 5 } }),
      leaves: 'listing_defaults_changed',
    },
    'delete /integration/v1/items/{external_id}': { call: itemCall(''), leaves: 'deleted' },
    'post /integration/v1/items/{external_id}/publish': { call: itemCall('/publish'), leaves: 'publish_requested' },
    'post /partner/items/{external_id}/publish': { call: itemTwin('/publish'), leaves: 'publish_requested' },
    'post /partner/items/{external_id}/retry': {
      call: async (account) => {
        const body = { ...anItemBody, imageUrls: ['https://img.example.se/1.jpg'] };
        await ok(world().call('PUT', '/integration/v1/items/a', { apiKey: account.apiKey, body }));
        await failImages(world(), { id: account.id, externalId: 'a' });
        return { path: '/partner/items/a/retry', token: account.token };
      },
      leaves: 'retry_requested',
    },
    'patch /partner/items/{external_id}/status': {
      call: itemTwin('/status', { status: 'not_listed' }),
      leaves: 'status_changed',
    },
    'delete /partner/items/{external_id}': { call: itemTwin(''), leaves: 'deleted' },
    'post /integration/v1/items/batch': {
      call: ({ apiKey }) =>
        Promise.resolve({
          path: '/integration/v1/items/batch',
          apiKey,
          body: { items: [{ externalId: 'a', ...anItemBody }] },
        }),
      leaves: 'created',
    },
    'post /auth/password': {
      call: ({ token, password }) => {
        const body = { oldPassword: password, newPassword: 'en helt annan lösenfras' };
        return Promise.resolve({ path: '/auth/password', token, body });
      },
      leaves: 'password_changed',
    },
    'post /auth/email': {
      call: ({ token, password }) => {
        const body = { password, email: `${randomUUID()}@example.se` };
        return Promise.resolve({ path: '/auth/email', token, body });
      },
      leaves: 'email_change_requested',
    },
    'put /auth/notices': {
      call: ({ token }) => {
        const body = { webhookDisabled: false, tokenExpired: true, sale: true, weeklySummary: true, language: 'en' };
        return Promise.resolve({ path: '/auth/notices', token, body });
      },
      leaves: 'notices_changed',
    },
    'post /business/invitations': {
      call: async (account) => {
        await beInviter(account);
        const body = { invitations: [{ email: `${randomUUID()}@example.se` }] };
        return { path: '/business/invitations', token: account.token, body };
      },
      leaves: 'members_invited',
    },
    'delete /business/invitations/{invitationId}': {
      call: async (account) => {
        await beInviter(account);
        const { token } = account;
        const body = { invitations: [{ email: `${randomUUID()}@example.se` }] };
        await ok(world().call('POST', '/business/invitations', { token, body }));
        const { invitations } = (await ok(world().call('GET', '/business/invitations', { token }))).body;
        return { path: `/business/invitations/${invitations[0].id}`, token };
      },
      leaves: 'invitation_withdrawn',
    },
    'delete /auth/sessions': {
      call: async (account) => {
        await signIn(world(), account);
        return { path: '/auth/sessions', token: account.token };
      },
      leaves: 'sessions_ended',
    },
    'delete /auth/sessions/{id}': {
      call: async (account) => {
        await signIn(world(), account);
        const { body } = await ok(world().call('GET', '/auth/sessions', { token: account.token }));
        return { path: `/auth/sessions/${body.sessions[0].id}`, token: account.token };
      },
      leaves: 'sessions_ended',
    },
    'post /integration/api-keys/generate': {
      call: ({ token }) => Promise.resolve({ path: '/integration/api-keys/generate', token, body: { name: 'ERP' } }),
      leaves: 'api_key_generated',
    },
    'delete /integration/api-keys/{id}': {
      call: async (account) => ({ path: `/integration/api-keys/${await aKeyId(account)}`, token: account.token }),
      leaves: 'api_key_revoked',
    },
    'post /integration/webhooks': {
      call: ({ token }) => Promise.resolve({ path: '/integration/webhooks', token, body: aHookBody }),
      leaves: 'webhook_created',
    },
    'patch /integration/webhooks/{id}': { call: hookCall('', { description: 'ny' }), leaves: 'webhook_changed' },
    'delete /integration/webhooks/{id}': { call: hookCall(''), leaves: 'webhook_deleted' },
    'post /integration/webhooks/{id}/rotate-secret': {
      call: hookCall('/rotate-secret'),
      leaves: 'webhook_secret_rotated',
    },
    'post /integration/webhooks/{id}/test': { call: hookCall('/test'), leaves: 'test_event_sent' },
    'post /integration/v1/bulk-syncs': {
      call: ({ apiKey }) => Promise.resolve(aBulkSync(apiKey)),
      leaves: 'bulk_sync_accepted',
    },
    'post /partner/bulk-syncs': {
      call: ({ token }) => {
        const { body, headers } = aBulkSync('');
        return Promise.resolve({ path: '/partner/bulk-syncs', token, body, headers });
      },
      leaves: 'bulk_sync_accepted',
    },
    'delete /integration/v1/bulk-syncs/{id}': {
      call: async ({ apiKey }) => {
        const { path, ...options } = aBulkSync(apiKey);
        const { id } = (await ok(world().call('POST', path, options))).body;
        return { path: `${path}/${id}`, apiKey };
      },
      leaves: 'bulk_sync_cancelled',
    },
    'delete /partner/bulk-syncs/{id}': {
      call: async ({ apiKey, token }) => {
        const { path, ...options } = aBulkSync(apiKey);
        const { id } = (await ok(world().call('POST', path, options))).body;
        return { path: `/partner/bulk-syncs/${id}`, token };
      },
      leaves: 'bulk_sync_cancelled',
    },
    'post /integration/webhooks/{id}/recover': {
      call: hookCall('/recover', { since: present(-60_000).toISOString() }),
      leaves: 'recovery_requested',
    },
    'put /integration/webhook-settings': {
      call: ({ token }) =>
        Promise.resolve({ path: '/integration/webhook-settings', token, body: { webhookUrl: hookUrl } }),
      leaves: 'webhook_url_changed',
    },
    'post /integration/webhook-settings/rotate-secret': {
      call: ({ token }) => Promise.resolve({ path: '/integration/webhook-settings/rotate-secret', token }),
      leaves: 'webhook_url_secret_rotated',
    },
    'post /integration/webhook-settings/test': {
      call: async (account) => {
        await setUrl(account);
        return { path: '/integration/webhook-settings/test', token: account.token };
      },
      leaves: 'test_event_sent',
    },
    'post /integration/webhook-settings/recover': {
      call: async (account) => {
        await setUrl(account);
        const body = { since: present(-60_000).toISOString() };
        return { path: '/integration/webhook-settings/recover', token: account.token, body };
      },
      leaves: 'recovery_requested',
    },
    'post /integration/webhook-deliveries/{id}/redeliver': {
      call: async (account) => {
        const path = `/integration/webhooks/${await anEndpoint(account)}/test`;
        const { deliveryId } = (await ok(world().call('POST', path, { token: account.token }))).body;
        const deliveries = world().store.connection.collection<{ _id: string }>('deliveries');
        await deliveries.updateOne({ _id: deliveryId }, { $set: { state: 'failed', missed: true } });
        return { path: `/integration/webhook-deliveries/${deliveryId}/redeliver`, token: account.token };
      },
      leaves: 'redelivery_requested',
    },
    'put /partner/marketplace-connection': {
      call: ({ token }) =>
        Promise.resolve({
          path: '/partner/marketplace-connection',
          token,
          body: { marketplaceUserId: '4711', token: 'seller-token' },
        }),
      leaves: 'marketplace_connected',
    },
    'post /partner/marketplace-connection/login/complete': {
      call: async ({ token }) => {
        const path = '/partner/marketplace-connection/login';
        const { url } = (await ok(world().call('POST', path, { token }))).body;
        const login = new URL(url).searchParams.get('login');
        return { path: `${path}/complete`, token, body: { login, marketplaceUserId: '4711' } };
      },
      leaves: 'marketplace_connected',
    },
    'delete /partner/marketplace-connection': {
      call: async (account) => {
        await connect(account);
        return { path: '/partner/marketplace-connection', token: account.token };
      },
      leaves: 'marketplace_removed',
    },
    'post /p/{slug}/connect': {
      call: async ({ token }) => ({ path: `/p/${(await world().reseller()).slug}/connect`, token }),
      leaves: 'member_joined',
    },
    'put /business/my-profile': {
      call: ({ token }) =>
        Promise.resolve({
          path: '/business/my-profile',
          token,
          body: { slug: `p-${randomUUID().slice(0, 13)}`, displayName: 'Bildelar Norr' },
        }),
      leaves: 'profile_changed',
    },
    'put /business/my-profile/connections/{memberUserId}': {
      call: async ({ token, email }) => {
        const member = await memberOf({ email, token });
        return { path: `/business/my-profile/connections/${member.id}`, token, body: { externalId: 'ny' } };
      },
      leaves: 'member_renamed',
    },
    'delete /business/my-profile/connections/{memberUserId}': {
      call: async ({ token, email }) => {
        const member = await memberOf({ email, token });
        return { path: `/business/my-profile/connections/${member.id}`, token };
      },
      leaves: 'member_removed',
    },
    'post /business/my-deal/confirmations': {
      call: async ({ token, email }) => {
        const member = await memberOf({ email, token });
        world().pass(1);
        const id = await anOrder(member, 200_000);
        for (const status of ['paid', 'completed'])
          await ok(world().call('PATCH', `/partner/orders/${id}`, { token: member.token, body: { status } }));
        const body = { memberUserId: member.id, orders: 1, sales: 200_000 };
        return { path: '/business/my-deal/confirmations', token, body };
      },
      leaves: 'commission_confirmed',
    },
    'delete /business/my-deal': {
      call: async ({ token }) => {
        await ok(world().call('POST', `/p/${(await world().reseller()).slug}/connect`, { token }));
        return { path: '/business/my-deal', token };
      },
      leaves: 'member_left',
    },
    'post /partner/orders': {
      call: async (account) => {
        await anItem(account);
        return {
          path: '/partner/orders',
          token: account.token,
          body: { externalId: 'a', platform: 'service', amount: 100 },
        };
      },
      leaves: 'sold',
    },
    'patch /business/my-deal': {
      call: async ({ token }) => {
        await ok(world().call('POST', `/p/${(await world().reseller()).slug}/connect`, { token }));
        return { path: '/business/my-deal', token, body: { sharesOrders: true } };
      },
      leaves: 'order_sharing_changed',
    },
    'patch /integration/v1/orders/{id}': {
      call: async (account) => ({
        path: `/integration/v1/orders/${await anOrder(account)}`,
        apiKey: account.apiKey,
        body: { status: 'paid' },
      }),
      leaves: 'paid',
    },
    'patch /partner/orders/{id}': {
      call: async (account) => ({
        path: `/partner/orders/${await anOrder(account)}`,
        token: account.token,
        body: { status: 'paid' },
      }),
      leaves: 'paid',
    },
  };
}

/** One line of newline-delimited JSON is JSON. */
const aBulkSync = (apiKey: string) => ({
  path: '/integration/v1/bulk-syncs',
  apiKey,
  body: { externalId: 'a', ...anItemBody },
  headers: { 'content-type': 'application/x-ndjson' },
});
