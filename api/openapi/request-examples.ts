type Json = Readonly<Record<string, unknown>>;
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

const linkToken = 'rO0yqjzq0vFqXxk6mV9wq0T1m3o5uYb2d4sWc7eGh8A';

const twoLines = one(
  'Two lines',
  [
    { externalId: 'BX-1042', title: 'Bromsskiva fram Volvo V70', price: 349.5, imageUrls: [] },
    { externalId: 'BX-1043', title: 'Bromsok fram höger Volvo V70', price: 695, imageUrls: [] },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
);

const endpoint = one('An endpoint for sales and failures', {
  url: 'https://erp.example.com/hooks/items',
  eventTypes: ['item.sold', 'listing.failed'],
  scope: 'self',
  description: 'Lagersystemet',
  autoRecover: true,
});
const enabled = one('Enabled again', { active: true });
const sample = one('A sample of a sale', { eventType: 'item.sold' });
const recovery = one('From eight in the morning', { since: '2026-11-20T08:00:00Z' });

/** Requests as an ERP would send them, by the name of the operation. Tools show the first one by default. */
export const requestExamples: Readonly<Record<string, Examples>> = {
  upsertItem: {
    carPart: { summary: 'A used part, to be published at once', value: carPart() },
    book: {
      summary: 'A book',
      value: {
        title: 'Gösta Berlings saga',
        price: 120,
        imageUrls: ['https://images.example.com/gosta-berling.jpg'],
        domain: { domain: 'books', isbn: '978-91-1-302848-4', author: 'Selma Lagerlöf', language: 'sv' },
      },
    },
    terms: {
      summary: 'With terms of its own, put up again twice if nobody buys it',
      value: {
        title: 'Emaljkanna, blå',
        price: 149.5,
        imageUrls: [],
        autoPublishTradera: true,
        listing: { durationDays: 10, reservePrice: 300, relist: { times: 2, priceStep: 20 } },
      },
    },
    least: { summary: 'The least that an item has', value: { title: 'Emaljkanna, blå', price: 149.5, imageUrls: [] } },
  },
  batchUpsertItems: one('Two items', {
    items: [
      { externalId: 'BX-1042', ...carPart() },
      { externalId: 'BX-1043', title: 'Bromsok fram höger Volvo V70', price: 695, imageUrls: [] },
    ],
  }),
  createBulkSync: twoLines,
  createPartnerBulkSync: twoLines,
  updateItemPrice: one('A lower price', { price: 299.5 }),
  updateItemQuantity: one('Three are left', { quantity: 3 }),
  updatePartnerItemQuantity: one('Three are left', { quantity: 3 }),
  updateItemStatus: one('Sold over the counter', { status: 'sold' }),
  updatePartnerItemStatus: one('Taken off the service', { status: 'not_listed' }),
  setListingDefaults: one('Ten days, put up again once', {
    durationDays: 10,
    relist: { times: 1 },
    vatPercent: 25,
    shippingOptions: [{ providerId: 6, cost: 79 }],
  }),
  registerAccount: one('A new account', {
    email: 'lager@bildelar-norr.example',
    password: 'tre ord på rad',
    name: 'Bildelar Norr AB',
  }),
  login: one('A session', { email: 'lager@bildelar-norr.example', password: 'tre ord på rad' }),
  askForNewPassword: one('A link in Swedish', { email: 'lager@bildelar-norr.example', language: 'sv' }),
  resetPassword: one('The token of the link', { token: linkToken, newPassword: 'fyra andra ord på rad' }),
  changeEmail: one('Another address', { email: 'order@bildelar-norr.example', password: 'tre ord på rad' }),
  confirmEmail: one('The token of the link', { token: linkToken }),
  revokeAccess: one('The token of the answer, or of the link in the mail', { token: linkToken }),
  inviteMembers: one('Two workshops, one with its customer number', {
    invitations: [
      { email: 'lager@verkstad-a.example.se', externalId: 'KUND-7' },
      { email: 'info@verkstad-b.example.se' },
    ],
    language: 'sv',
  }),
  chooseNotices: one('Sales, too', {
    webhookDisabled: true,
    tokenExpired: true,
    sale: true,
    weeklySummary: true,
    language: 'sv',
  }),
  changePassword: one('A new password', { oldPassword: 'tre ord på rad', newPassword: 'fyra andra ord på rad' }),
  generateApiKey: {
    ...one('A key with a name', { name: 'ERP i Umeå' }),
    bounded: {
      summary: 'A key for the stock alone, from one network',
      value: { name: 'Lagret', scopes: ['items:write', 'webhooks:read'], addresses: ['198.51.100.0/24'] },
    },
  },
  createWebhook: endpoint,
  createWebhookByKey: endpoint,
  updateWebhook: enabled,
  updateWebhookByKey: enabled,
  updateWebhookSettings: one('The account-level URL', { webhookUrl: 'https://erp.example.com/hooks/items' }),
  testWebhook: sample,
  testWebhookByKey: sample,
  testAccountWebhook: sample,
  recoverWebhook: recovery,
  recoverWebhookByKey: recovery,
  recoverAccountWebhook: recovery,
  connectMarketplace: one('A user and its token', { marketplaceUserId: '778899', token: 'b2f1c0de9a3e4d7f8c6b5a40' }),
  completeMarketplaceLogin: one('Back from the page of the marketplace', {
    login: '0d9d1a52-7f0b-4c8e-9d6b-6a1f2f3c4e5d',
    marketplaceUserId: '778899',
  }),
  updateMyProfile: one("A reseller's page", {
    slug: 'bildelar-norr',
    displayName: 'Bildelar Norr',
    description: 'Vi säljer åt bildemonteringar i hela landet.',
  }),
  renameMember: one('As the ERP calls the member', { externalId: 'butik-malmo' }),
  createOrder: one('Sold over the counter, paid', {
    externalId: 'BX-1042',
    platform: 'service',
    amount: 349.5,
    status: 'paid',
  }),
  updateOrder: one('The money is there', { status: 'paid' }),
  updateIntegrationOrder: one('Sent', { shipping: { carrier: 'PostNord', trackingNumber: 'UN123456789SE' } }),
  sellSandboxItem: one('Won at 450 kronor', { price: 450 }),
  joinReseller: one('The reseller may handle the orders', { sharesOrders: true }),
  confirmCommission: one('As `waiting` has shown them', {
    memberUserId: '3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90',
    orders: 2,
    sales: 148_500,
  }),
  changeOrderSharing: one('No longer', { sharesOrders: false }),
  receivePaymentEvent: one('A subscription was made', {
    id: 'evt_1TbKx2LkdIwHu7ix0e9z4y1a',
    type: 'customer.subscription.created',
    created: 1_795_600_000,
    data: { object: { id: 'sub_1TbKx2LkdIwHu7ixqP0s8t3b', object: 'subscription' } },
  }),
  convertCategory: one('From the marketplace', { fromMarket: 'marketplace', toMarket: 'service', externalId: '530' }),
};

function one(summary: string, value: unknown): Examples {
  return { example: { summary, value } };
}

function carPart(): Json {
  return {
    title: 'Bromsskiva fram Volvo V70 2008',
    description: 'Original, 302 mm. Demonterad av oss, slitage 0,3 mm.',
    price: 349.5,
    shippingCost: 79,
    weightKg: 6.4,
    imageUrls: ['https://images.example.com/bx-1042-1.jpg', 'https://images.example.com/bx-1042-2.jpg'],
    domain: {
      domain: 'auto_parts',
      vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2008, vehicleType: 'Bil' },
      part: { name: 'Bromsskiva fram', oemNumber: '31400764', catalogCodes: { systemA: '0412-7731' } },
      conditionGrade: 'B',
      conditionNote: 'Ytrost på navet',
    },
    autoPublishTradera: true,
  };
}
