import { randomUUID } from 'node:crypto';
import { aPaymentEvent, goodSignature } from './a-processor.ts';
import type { Belongings } from './belongings.ts';
import type { Operation } from './operations.ts';

/**
 * How an operation is called with the identifiers of an account. Each list is of values to try; the first of each makes a call
 * that works for the account itself.
 */
export interface Example {
  /** Values of the parameters of the path. */
  readonly paths?: (own: Belongings) => readonly Readonly<Record<string, string>>[];
  /** With their `?`; '' for none. */
  readonly queries?: (own: Belongings) => readonly string[];
  readonly bodies?: (own: Belongings) => readonly unknown[];
  readonly headers?: (own: Belongings) => Readonly<Record<string, string>>;
  /** Of the account itself, where an attacker can't know it. */
  readonly ownBody?: (own: Belongings) => unknown;
  readonly ownHeaders?: (own: Belongings) => Readonly<Record<string, string>>;
}

const byExternalId = (own: Belongings) => own.externalIds.map((id) => ({ external_id: id }));
/** The first list has what is meant, of the others one each: an identifier of another kind must open nothing either. */
const byId = (meant: readonly string[], ...others: (readonly string[])[]) =>
  [...meant, ...others.flatMap((list) => list.slice(0, 1))].map((id) => ({ id }));
const byBulkSync = (own: Belongings) => byId(own.bulkSyncIds, own.itemIds, [own.account.id]);
const byEndpoint = (own: Belongings) => byId(own.endpointIds, own.recoveryIds, [own.account.id], own.deliveryIds);
const byOrder = (own: Belongings) => byId(own.orderIds, own.itemIds, own.externalIds, [own.account.id]);
const byItem = (own: Belongings): string => query({ externalId: own.externalIds[0] ?? '' });
const byDelivery = (own: Belongings) => byId(own.attemptIds, own.deliveryIds, own.eventIds, own.endpointIds);
const query = (fields: Readonly<Record<string, string>>): string => `?${new URLSearchParams(fields).toString()}`;
const anItem = (own: Belongings) => ({
  title: 'Något annat',
  description: own.itemIds.join(' '),
  price: 1,
  imageUrls: [],
  autoPublishTradera: true,
});
const dryOrNot = (): readonly string[] => ['', '?validateOnly=true'];
const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();
const webhookUrl = 'https://attacker.example/hooks';

const trackingNumber = 'of an attacker';
const orderChanges = () => [{ status: 'paid' }, { status: 'cancelled' }, { shipping: { trackingNumber } }];

const itemPages = (own: Belongings): readonly string[] => [
  '',
  query({ cursor: own.listCursor, limit: '1' }),
  query({ oem_number: own.externalIds[0] ?? '' }),
  query({ q: own.externalIds[0] ?? '' }),
  query({ problem: 'any' }),
];

const named: Readonly<Record<string, Example>> = {
  listItems: { queries: (own) => [...itemPages(own), query({ serviceStatus: 'sold' })] },
  getItemTimeline: { paths: byExternalId, queries: () => ['', '?before=3'] },
  upsertItem: { paths: byExternalId, bodies: (own) => [anItem(own)], queries: dryOrNot },
  getItem: {
    paths: (own) => [...byExternalId(own), ...own.itemIds.slice(0, 1).map((id) => ({ external_id: id }))],
    queries: () => ['', '?view=full'],
  },
  updateItemPrice: { paths: byExternalId, bodies: () => [{ price: 1 }], queries: dryOrNot },
  updateItemQuantity: {
    paths: byExternalId,
    headers: () => ({ 'if-match': '*' }),
    bodies: () => [{ quantity: 3 }],
    queries: dryOrNot,
  },
  updateItemStatus: { paths: byExternalId, bodies: () => [{ status: 'not_listed' }, { status: 'sold' }] },
  publishItem: { paths: byExternalId, queries: dryOrNot },
  deleteItem: { paths: byExternalId, queries: dryOrNot },
  listPartnerItems: { queries: itemPages },
  getPartnerItem: {
    paths: (own) => [...byExternalId(own), ...own.itemIds.slice(0, 1).map((id) => ({ external_id: id }))],
  },
  getPartnerItemTimeline: { paths: byExternalId, queries: () => ['', '?before=3'] },
  publishPartnerItem: { paths: byExternalId, queries: dryOrNot },
  retryPartnerItem: {
    paths: (own) => [own.failedExternalId, ...own.externalIds].map((id) => ({ external_id: id })),
    queries: dryOrNot,
  },
  updatePartnerItemStatus: {
    paths: byExternalId,
    bodies: () => [{ status: 'not_listed' }, { status: 'sold' }],
  },
  updatePartnerItemQuantity: {
    paths: byExternalId,
    headers: () => ({ 'if-match': '*' }),
    bodies: () => [{ quantity: 3 }],
  },
  getListingDefaults: {},
  setListingDefaults: { bodies: () => [{ durationDays: 3 }] },
  deletePartnerItem: { paths: byExternalId, queries: dryOrNot },
  batchUpsertItems: {
    bodies: (own) => [
      { items: own.externalIds.map((externalId) => ({ externalId, ...anItem(own) })) },
      { items: [own.account.id, ...own.externalIds].map((of) => ({ externalId: of, account: of, ...anItem(own) })) },
    ],
    queries: dryOrNot,
  },

  createBulkSync: {
    bodies: (own) => [{ externalId: own.externalIds[0] ?? '', ...anItem(own) }],
    headers: () => ({ 'content-type': 'application/x-ndjson' }),
    queries: () => ['', '?validateOnly=true', '?mode=snapshot&validateOnly=true'],
  },
  getBulkSync: { paths: byBulkSync },
  listBulkSyncErrors: { paths: byBulkSync },
  cancelBulkSync: { paths: byBulkSync },
  createPartnerBulkSync: {
    bodies: (own) => [{ externalId: own.externalIds[0] ?? '', ...anItem(own) }],
    headers: () => ({ 'content-type': 'application/x-ndjson' }),
    queries: () => ['', '?validateOnly=true', '?mode=snapshot&validateOnly=true'],
  },
  listPartnerBulkSyncs: {},
  getPartnerBulkSync: { paths: byBulkSync },
  listPartnerBulkSyncErrors: { paths: byBulkSync },
  cancelPartnerBulkSync: { paths: byBulkSync },

  registerAccount: {
    bodies: ({ account: { email } }) => [{ email, password: 'another password', name: 'Någon annan' }],
    ownBody: () => ({ email: `${randomUUID()}@example.se`, password: 'another password', name: 'Någon' }),
  },
  login: {
    bodies: ({ account: { email } }) => [{ email, password: 'not the password' }],
    ownBody: ({ account: { email, password } }) => ({ email, password }),
  },
  refreshSession: {
    headers: (own) => ({ cookie: `refresh_token=${own.endedRefreshToken}` }),
    ownHeaders: (own) => ({ cookie: `refresh_token=${own.refreshToken}` }),
  },
  logout: {
    headers: (own) => ({ cookie: `refresh_token=${own.endedRefreshToken}` }),
    ownHeaders: (own) => ({ cookie: `refresh_token=${own.refreshToken}` }),
  },
  getOwnAccount: {},
  changePassword: {
    bodies: () => [{ oldPassword: 'not the password', newPassword: 'another password' }],
    ownBody: ({ account: { password } }) => ({ oldPassword: password, newPassword: 'another password' }),
  },
  // A link that opens one thing must open nothing else.
  askForNewPassword: { bodies: ({ account: { email } }) => [{ email }] },
  resetPassword: {
    bodies: (own) =>
      [own.confirmToken, own.revocationToken].map((token) => ({ token, newPassword: 'another password' })),
    ownBody: (own) => ({ token: own.resetToken, newPassword: 'another password' }),
  },
  // Attackers have the same password as everybody here, so it is their own address that they change.
  changeEmail: {
    bodies: ({ account: { email, password } }) => [{ email, password }],
    ownBody: ({ account: { password } }) => ({ email: `${randomUUID()}@example.se`, password }),
  },
  sendEmailConfirmation: {},
  confirmEmail: {
    bodies: (own) => [{ token: own.resetToken }, { token: own.revocationToken }],
    ownBody: (own) => ({ token: own.confirmToken }),
  },
  revokeAccess: {
    bodies: (own) => [{ token: own.resetToken }, { token: own.confirmToken }],
    ownBody: (own) => ({ token: own.revocationToken }),
  },
  getNotices: {},
  chooseNotices: {
    bodies: () => [{ webhookDisabled: true, tokenExpired: false, sale: true, weeklySummary: true, language: 'en' }],
  },
  listSessions: {},
  endOtherSessions: {},
  // The newest first: the account itself goes on with an older one.
  endSession: { paths: (own) => byId(own.sessionIds.toReversed(), [own.account.id], own.keyIds) },
  generateApiKey: { bodies: (own) => [{ name: own.keyIds[0] }] },
  listApiKeys: {},
  revokeApiKey: { paths: (own) => byId(own.keyIds, [own.account.id], own.endpointIds) },

  listWebhooks: {},
  createWebhook: {
    bodies: (own) => [
      { url: webhookUrl, description: own.endpointIds[0] },
      { url: webhookUrl, scope: 'members' },
    ],
  },
  updateWebhook: { paths: byEndpoint, bodies: () => [{ url: webhookUrl, active: true }, { scope: 'self' }] },
  rotateWebhookSecret: { paths: byEndpoint },
  testWebhook: { paths: byEndpoint, bodies: () => [{}, { eventType: 'item.sold' }] },
  recoverWebhook: {
    paths: byEndpoint,
    bodies: () => [{ since: anHourAgo() }],
    queries: () => ['', '?dryRun=true'],
  },
  listWebhookRecoveries: { paths: byEndpoint },
  getWebhook: { paths: byEndpoint },
  getWebhookStatistics: { queries: (own) => ['', ...own.endpointIds.map((endpointId) => query({ endpointId }))] },
  deleteWebhook: { paths: byEndpoint },

  getWebhookSettings: {},
  updateWebhookSettings: { bodies: () => [{ webhookUrl }] },
  rotateAccountWebhookSecret: {},
  testAccountWebhook: { bodies: () => [{}] },
  recoverAccountWebhook: { bodies: () => [{ since: anHourAgo() }], queries: () => ['', '?dryRun=true'] },
  listAccountWebhookRecoveries: {},
  listWebhookDeliveries: {
    queries: (own) => [
      '',
      query({ endpointId: own.endpointIds[0] ?? '' }),
      query({ endpointId: 'account' }),
      query({ deliveryId: own.deliveryIds[0] ?? '' }),
      byItem(own),
    ],
  },
  getWebhookDelivery: { paths: byDelivery },
  redeliverWebhookDelivery: { paths: byDelivery, queries: () => ['', '?dryRun=true'] },
  listEvents: {
    queries: (own) => ['', query({ after: own.feedCursor }), '?after=now', '?types=order.paid,item.changed'],
  },

  getMarketplaceConnection: {},
  connectMarketplace: {
    bodies: (own) => [{ marketplaceUserId: own.marketplaceUserId, token: 'a-token' }],
  },
  beginMarketplaceLogin: {},
  completeMarketplaceLogin: {
    bodies: (own) => own.marketplaceLoginIds.map((login) => ({ login, marketplaceUserId: own.marketplaceUserId })),
  },
  disconnectMarketplace: {},

  listOrders: {
    queries: (own) => ['', query({ cursor: own.orderCursor, limit: '1' }), '?status=completed', byItem(own)],
  },
  createOrder: {
    bodies: (own) =>
      own.externalIds.map((externalId) => ({ externalId, platform: 'service_card', amount: 1, status: 'paid' })),
  },
  getOrder: { paths: byOrder },
  updateOrder: { paths: byOrder, bodies: orderChanges },
  listIntegrationOrders: {
    queries: (own) => [
      ...['', query({ cursor: own.orderCursor, limit: '1' }), '?status=completed', byItem(own)],
      query({ updatedSince: anHourAgo() }),
    ],
  },
  getIntegrationOrder: { paths: byOrder },
  updateIntegrationOrder: { paths: byOrder, bodies: orderChanges },
  search: {
    queries: (own) =>
      [own.externalIds[0], own.orderIds[0], own.deliveryIds[0], own.references[0]].flatMap((q) =>
        q === undefined ? [] : [query({ q })],
      ),
  },
  sellSandboxItem: { paths: byExternalId, bodies: () => [{ price: 1_000 }] },
  endSandboxAuction: { paths: byExternalId },
  paySandboxOrder: { paths: byOrder },
  exportItems: { queries: (own) => ['', byItem(own).replace('externalId', 'q')] },
  exportOrders: { queries: (own) => ['', byItem(own)] },
  exportWebhookDeliveries: { queries: (own) => ['', byItem(own)] },
  getAnalytics: { queries: () => ['', '?period=last_12_months', '?period=last_30_days'] },
  getUsage: {},
  getSubscription: {},
  startCheckout: {},
  receivePaymentEvent: {
    bodies: (own) => [aPaymentEvent(own.customerId, 'evt_of_an_attacker')],
    headers: () => ({ 'stripe-signature': 't=1,v1=00' }),
    ownHeaders: () => ({ 'stripe-signature': goodSignature }),
  },
  listAuditLogEntries: {
    queries: (own) => [
      '',
      query({ cursor: own.logCursor, limit: '1' }),
      byItem(own),
      '?view=acting',
      '?actor=reseller',
      '?view=acting&actor=api_key',
    ],
  },

  listLoggedCalls: {
    queries: (own) => [
      '',
      query({ cursor: own.callCursor, limit: '1' }),
      query({ path: own.externalIds[0] ?? '' }),
      query({ keyId: own.keyIds[0] ?? '' }),
      query({ requestId: own.requestId }),
    ],
  },

  joinReseller: { paths: (own) => [...own.slugs, own.account.id].map((slug) => ({ slug })) },
  getMyProfile: {},
  updateMyProfile: {
    bodies: (own) => [{ slug: own.slugs[0] ?? 'ingen sida', displayName: 'Något annat' }],
  },
  listMembers: {},
  getMembersAnalytics: { queries: () => ['', '?period=last_30_days'] },
  listMembersItems: { queries: (own) => ['', byItem(own), '?problem=any'] },
  listMembersOrders: { queries: (own) => ['', byItem(own)] },
  listMembersDeliveries: {
    queries: (own) => ['', byItem(own), ...own.references.map((memberExternalId) => query({ memberExternalId }))],
  },
  findMembers: { queries: (own) => ['', query({ q: own.references[0] ?? 'butik', sort: 'failing' })] },
  listInvitations: {},
  inviteMembers: {
    bodies: (own) => [{ invitations: [{ email: own.account.email, externalId: own.references[0] ?? 'butik' }] }],
  },
  withdrawInvitation: {
    paths: (own) => [...own.invitationIds, own.account.id].map((invitationId) => ({ invitationId })),
  },
  listJoinRequests: {},
  removeMember: {
    paths: (own) => [...own.memberIds, ...own.askingIds, own.account.id].map((memberUserId) => ({ memberUserId })),
  },
  confirmCommission: { bodies: (own) => [own.waiting] },
  renameMember: {
    paths: (own) => [...own.memberIds, ...own.askingIds, own.account.id].map((memberUserId) => ({ memberUserId })),
    bodies: (own) => [{ externalId: 'mine-now' }, { externalId: own.references[0] ?? own.externalIds[0] }],
  },
  getMyDeal: {},
  changeOrderSharing: { bodies: () => [{ sharesOrders: true }, { sharesOrders: false }] },
  leaveReseller: {},

  lookUpVehicle: { queries: () => ['?plate=MLB84A'] },
  listCategories: {},
  convertCategory: { bodies: () => [{ fromMarket: 'service', externalId: 'books', toMarket: 'marketplace' }] },
  getPublicProfile: { paths: (own) => [...own.slugs, own.account.id].map((slug) => ({ slug })) },
  getImage: {
    paths: (own) =>
      own.imageHashes.flatMap((hash) =>
        ['full.jpg', 'thumb.jpg'].map((file) => ({ accountId: own.account.id, hash, file })),
      ),
  },
  getHealth: {},
  getReadiness: {},
};

/** Operations of a session that a key has as well, under a path of its own. */
const alsoByKey = [
  ...[
    'listWebhooks',
    'getWebhook',
    'getWebhookStatistics',
    'createWebhook',
    'updateWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'testWebhook',
  ],
  ...['recoverWebhook', 'listWebhookRecoveries', 'listWebhookDeliveries', 'getWebhookDelivery'],
  'redeliverWebhookDelivery',
];

/** Every operation of the interface document has its line here: a test says which one is missing. */
export const examples: Readonly<Record<string, Example>> = {
  ...named,
  ...Object.fromEntries(alsoByKey.map((id) => [`${id}ByKey`, named[id] ?? {}])),
};

/** One way to call an operation, with the identifiers of an account filled in. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** All requests of an operation: every path with the first body and query, and every other of these with the first path. */
export function requestsOf(operation: Operation, own: Belongings): readonly Request[] {
  const example = exampleOf(operation);
  const paths = (example.paths?.(own) ?? [{}]).map((values) => filledIn(operation, values));
  const queries = example.queries?.(own) ?? [''];
  const bodies = example.bodies?.(own) ?? [undefined];
  const [path = '', ...otherPaths] = paths;
  const [first, ...otherBodies] = bodies;
  const request = (fields: { path: string; body?: unknown }): Request => ({
    method: operation.method,
    headers: example.headers?.(own) ?? {},
    ...fields,
  });
  return [
    ...(paths.length === 0 ? [] : queries.slice(0, 1)).map((one) => request({ path: path + one, body: first })),
    ...otherPaths.map((other) => request({ path: other + (queries[0] ?? ''), body: first })),
    ...(paths.length === 0 ? [] : queries.slice(1)).map((other) => request({ path: path + other, body: first })),
    ...(paths.length === 0 ? [] : otherBodies).map((body) => request({ path: path + (queries[0] ?? ''), body })),
  ];
}

export function exampleOf({ id, method, path }: Operation): Example {
  const example = examples[id];
  if (example !== undefined) return example;
  throw new Error(`${id} (${method} ${path}) has no example: add a line here, and what it needs to furnish.ts`);
}

const filledIn = ({ path }: Operation, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
