import test from 'ava';
import { anAuction, anItem, fails, now, says, seller, setUp, startingAt } from './support/marketplace-double.ts';

const bare = {
  adUrl: 'https://m.example/ad/9001',
  ownReferences: [],
  ...startingAt(0),
  isOver: false,
  hasWinner: null,
  adId: '9001',
  bids: 0,
  priceKronor: 0,
  endsAt: null,
  pictures: null,
};

test('an auction is read with its prices, bids and address', async (t) => {
  const { marketplace, calls } = await setUp(t, [
    { status: 200, body: anItem() },
    {
      status: 200,
      body: anItem({
        totalBids: 3,
        maxBid: 700,
        maxBidSpecified: true,
        reservePrice: 650,
        reservePriceSpecified: true,
        buyItNowPrice: 900,
        buyItNowPriceSpecified: true,
        status: { ended: true, gotBidders: true, gotWinner: true },
      }),
    },
  ]);
  t.deepEqual(await marketplace.readAuction(seller, '9001'), anAuction);
  t.deepEqual(await marketplace.readAuction(seller, '9001'), {
    ...anAuction,
    bids: 3,
    priceKronor: 700,
    reservePriceKronor: 650,
    buyNowPriceKronor: 900,
    isOver: true,
    hasWinner: true,
  });
  t.like(calls[0], { method: 'GET', url: '/v4/listings/items/9001' });
});

test('an auction of which the marketplace says next to nothing is read all the same', async (t) => {
  const nulls = { ownReferences: null, openingBid: null, totalBids: null, endDate: null, status: null, itemLink: null };
  const { marketplace } = await setUp(t, [
    { status: 200, body: { id: 9001 } },
    { status: 200, body: { id: '9001', ...nulls, imageLinks: null, new: { field: 1 } } },
  ]);
  for (let times = 0; times < 2; times++) t.deepEqual(await marketplace.readAuction(seller, '9001'), bare);
});

test('amounts, counts and result codes are read from texts of digits, too', async (t) => {
  const texts = { id: '9001', totalBids: '2', openingBid: '450', maxBid: '700', maxBidSpecified: true };
  const { marketplace } = await setUp(t, [
    { status: 200, body: anItem({ ...texts, reservePrice: '650', reservePriceSpecified: true, buyItNowPrice: '0' }) },
    { status: 200, body: [{ requestId: '501', resultCode: '1', message: null }] },
    { status: 200, body: [{ id: '1', amount: '700', date: '2026-11-21T11:00:00Z', item: { id: '9001' } }] },
  ]);
  t.like(await marketplace.readAuction(seller, '9001'), {
    bids: 2,
    priceKronor: 700,
    startPriceKronor: 450,
    reservePriceKronor: 650,
    buyNowPriceKronor: null,
  });
  t.deepEqual(await marketplace.readResult(seller, '501'), { kind: 'ok', imagesRefused: false });
  t.like((await marketplace.readTransactions(seller, now))[0], { adId: '9001', amountKronor: 700 });
});

test('a field on which nothing depends may have any form', async (t) => {
  const odd = { ownReferences: 'A-1', itemLink: { href: 'x' }, imageLinks: {} };
  const { marketplace } = await setUp(t, [
    {
      status: 200,
      body: [anItem({ ...odd, status: 'Active' }), anItem({ ...odd, status: 2, ownReferences: ['A', 1] })],
    },
  ]);
  const found = await marketplace.readRunning(seller, 'feed');
  t.deepEqual(
    found.map(({ ownReferences, hasWinner, isOver, pictures }) => ({ ownReferences, hasWinner, isOver, pictures })),
    [[], ['A']].map((ownReferences) => ({ ownReferences, hasWinner: null, isOver: false, pictures: null })),
  );
});

test('without a status the end date says whether an auction is over', async (t) => {
  const ends = ['2026-11-21T11:59:59Z', '2026-11-21T12:00:01Z', '0001-01-01T00:00:00', null];
  const { marketplace } = await setUp(
    t,
    ends.map((endDate) => ({ status: 200, body: anItem({ endDate, status: undefined }) })),
  );
  const read = [];
  for (const _ of ends) read.push(await marketplace.readAuction(seller, '9001'));
  t.deepEqual(
    read.map((auction) => auction?.isOver),
    [true, false, false, false],
  );
});

test('an auction that is not there, or of another seller, is none', async (t) => {
  const { marketplace } = await setUp(t, [says(404, 'NotFound'), { status: 404, body: '<h1>No</h1>' }]);
  for (let times = 0; times < 2; times++) t.is(await marketplace.readAuction(seller, '9001'), null);
});

test("an ad's address that is not HTTPS is not taken over: the usual one takes its place", async (t) => {
  const links = [
    'javascript:alert(1)',
    'http://m.example/1',
    'data:text/html,x',
    '//m.example/1',
    'https://',
    '',
    null,
  ];
  const { marketplace } = await setUp(t, [
    { status: 200, body: links.map((itemLink, index) => anItem({ id: index + 1, itemLink })) },
  ]);
  const found = await marketplace.readRunning(seller, 'feed');
  t.deepEqual(
    found.map(({ adUrl }) => adUrl),
    links.map((_link, index) => `https://m.example/ad/${index + 1}`),
  );
});

test('lists are bare or in a wrapper; a row that cannot be read is left out and told', async (t) => {
  const skipped: unknown[] = [];
  const list = [anItem(), { id: 'none' }, anItem({ id: 9002, endDate: 'soon' }), null, anItem({ id: '9003' })];
  const { marketplace, calls } = await setUp(
    t,
    [
      { status: 200, body: list },
      { status: 200, body: { items: [anItem()], more: 1 } },
      { status: 200, body: [] },
    ],
    { onUnreadableRows: (what) => void skipped.push(what) },
  );
  const found = await marketplace.readRunning(seller, 'feed');
  t.deepEqual(
    found.map(({ adId }) => adId),
    ['9001', '9003'],
  );
  t.deepEqual(skipped, [
    { operation: 'seller_items', rows: 2, of: 5 },
    { operation: 'seller_items', rows: 1, of: 3 },
  ]);
  t.deepEqual(await marketplace.readRunning(seller, 'feed'), [anAuction]);
  t.deepEqual(await marketplace.readEnded(seller, now), []);
  t.deepEqual(
    calls.map(({ url }) => url),
    [
      '/v4/listings/seller-items?filterActive=1',
      '/v4/listings/seller-items?filterActive=1',
      '/v4/listings/seller-items?filterActive=2&minEndDate=2026-11-21T12%3A00%3A00.000Z',
    ],
  );
});

test('rows are looked at again: no source names what the numbers of the filter stand for', async (t) => {
  const over = anItem({ id: 2, status: { ended: true } });
  const { marketplace } = await setUp(t, [{ status: 200, body: [anItem({ id: 1 }), over] }]);
  const idsOf = (found: readonly { adId: string }[]) => found.map(({ adId }) => adId);
  t.deepEqual(idsOf(await marketplace.readRunning(seller, 'feed')), ['1']);
  t.deepEqual(idsOf(await marketplace.readEnded(seller, now)), ['2']);
});

test('a list in which nothing can be read is never an empty one', async (t) => {
  const bodies = [[{ itemId: 1 }], {}, null, { items: null }, 'nothing', ''];
  const { marketplace } = await setUp(
    t,
    bodies.map((body) => ({ status: 200, body })),
  );
  for (const _ of bodies) await fails(t, marketplace.readRunning(seller, 'feed'), { kind: 'unavailable' });
});

test('a list that is too long is asked for in halves, by the ends of its auctions', async (t) => {
  const tooLong = `[${' '.repeat(64 * 1024)}]`;
  const answers = [tooLong, tooLong, [anItem({ id: 1 }), anItem({ id: 2 })], [anItem({ id: 2 }), anItem({ id: 3 })]];
  const { marketplace, calls } = await setUp(
    t,
    answers.map((body) => ({ status: 200, body })),
    { answerBytesMax: 64 * 1024 },
  );
  const found = await marketplace.readRunning(seller, 'feed');
  t.deepEqual(
    found.map(({ adId }) => adId),
    ['1', '2', '3'],
  );
  const asked = calls.slice(1).map(({ url }) => new URL(url, 'http://m.example').searchParams);
  t.deepEqual(
    asked.map((query) => [query.get('minEndDate')?.slice(0, 10), query.get('maxEndDate')?.slice(0, 10)]),
    [
      ['2026-11-20', '2027-01-24'],
      ['2026-11-20', '2026-12-23'],
      ['2026-12-23', '2027-01-24'],
    ],
  );
});

test('sales are read with their own references and the mark of payment; one without an item is left out', async (t) => {
  const skipped: unknown[] = [];
  const sale = { id: 5, date: '2026-11-21T10:00:00Z', amount: 700, item: { id: 9001, ownReferences: ['item-1:1'] } };
  const { marketplace, calls } = await setUp(
    t,
    [
      {
        status: 200,
        body: [
          { ...sale, isMarkedAsPaidConfirmed: true, buyer: { id: 1, alias: 'b' } },
          { ...sale, id: '6', isMarkedAsPaidConfirmed: null, item: { id: 9002, ownReferences: null } },
          { ...sale, id: 7, item: null },
          { ...sale, id: 8, date: null },
        ],
      },
    ],
    { onUnreadableRows: (what) => void skipped.push(what) },
  );
  const read = {
    adId: '9001',
    adUrl: 'https://m.example/ad/9001',
    amountKronor: 700,
    soldAt: new Date('2026-11-21T10:00:00Z'),
  };
  t.deepEqual(await marketplace.readTransactions(seller, now), [
    { ...read, transactionId: '5', ownReferences: ['item-1:1'], isPaid: true },
    { ...read, transactionId: '6', adId: '9002', adUrl: 'https://m.example/ad/9002', ownReferences: [], isPaid: false },
  ]);
  t.is(calls[0]?.url, '/v4/listings/seller-transactions?minTransactionDate=2026-11-21T12%3A00%3A00.000Z&filter=4');
  t.deepEqual(skipped, [
    { operation: 'transactions', rows: 1, of: 4 },
    { operation: 'transactions', rows: 1, of: 3 },
  ]);
});

test('the mark of changes is the highest row version with every digit, rows in any order', async (t) => {
  const { marketplace, calls } = await setUp(t, [
    {
      status: 200,
      body: '[{"id":1,"rowVersion":9007199254740993},{"id":2,"rowVersion":12},{"id":3,"rowVersion":"7"}]',
    },
    { status: 200, body: [] },
  ]);
  t.is(await marketplace.readChangeMark(seller, '0'), '9007199254740993');
  t.is(await marketplace.readChangeMark(seller, '9007199254740993'), '9007199254740993');
  t.deepEqual(
    calls.map(({ url }) => url),
    ['0', '9007199254740993'].map((mark) => `/v4/listings/updated-seller-items?rowVersion=${mark}`),
  );
});

const nobody = { name: null, line1: null, line2: null, postalCode: null, city: null, country: null };
const order = { orderId: 3, lastUpdatedDate: '2026-11-21T10:00:00', items: [{ itemId: 9001, unitPrice: 700 }] };
const buyer = {
  userId: 12,
  alias: 'kim',
  firstName: 'Kim',
  lastName: 'Ek',
  email: 'kim@m.example',
  phone: '070',
  addressLine1: 'Gata 1',
  addressLine2: null,
  zipCode: '111 11',
  city: 'Orten',
  countryName: 'Sverige',
};
const kim = { marketplaceUserId: '12', alias: 'kim', name: 'Kim Ek', email: 'kim@m.example', phone: '070' };
const atHome = { ...nobody, line1: 'Gata 1', postalCode: '111 11', city: 'Orten', country: 'Sverige' };

test('orders of auctions have their address from the buyer; those with one of their own have that', async (t) => {
  const { marketplace, calls } = await setUp(t, [
    {
      status: 200,
      body: [
        { ...order, buyer, shipTo: null, sellerOrderPayments: null, shippingType: null, shippingCost: 0 },
        {
          ...order,
          orderId: 4,
          buyer: { ...buyer, userId: 0 },
          shippingType: 'Parcel',
          shippingCost: 63,
          shipTo: { name: 'Bo', addressLine1: 'Väg 2' },
          sellerOrderPayments: [{ paymentType: 'Card' }],
        },
        { ...order, orderId: 5, buyer: null, items: null },
      ],
    },
  ]);
  const read = { updatedAt: new Date('2026-11-21T09:00:00Z'), lines: [{ adId: '9001', amountKronor: 700 }] };
  t.deepEqual(await marketplace.readOrders(seller, new Date('2026-11-20T12:00:00Z')), [
    {
      ...read,
      marketplaceOrderId: '3',
      isPaid: false,
      shippingKronor: 0,
      shippingMethod: null,
      buyer: { ...kim, address: atHome },
    },
    {
      ...read,
      marketplaceOrderId: '4',
      isPaid: true,
      shippingKronor: 63,
      shippingMethod: 'Parcel',
      buyer: { ...kim, marketplaceUserId: null, address: { ...nobody, name: 'Bo', line1: 'Väg 2' } },
    },
    {
      ...read,
      marketplaceOrderId: '5',
      isPaid: false,
      shippingKronor: 0,
      shippingMethod: null,
      buyer: null,
      lines: [],
    },
  ]);
  t.is(
    calls[0]?.url,
    '/v4/orders?fromDate=2026-11-20T12%3A00%3A00.000Z&toDate=2026-11-22T12%3A00%3A00.000Z&queryDateMode=1',
  );
});

test('a buyer whose data have another form in part is read without that part, and amounts may be texts', async (t) => {
  const odd = { ...buyer, phone: 70, alias: ['kim'] };
  const items = [{ itemId: '9001', unitPrice: '700', ownReferences: 'A-1' }];
  const { marketplace } = await setUp(t, [
    { status: 200, body: [{ ...order, buyer: odd, items, shipTo: null, shippingType: 3, shippingCost: '63' }] },
  ]);
  const [read] = await marketplace.readOrders(seller, now);
  t.like(read, { shippingKronor: 63, shippingMethod: '3', lines: [{ adId: '9001', amountKronor: 700 }] });
  t.deepEqual(read?.buyer, { ...kim, alias: null, phone: '70', address: atHome });
});

test('an order is told as sent by one POST without a body', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { orderId: 7 } }]);
  await marketplace.markShipped(seller, '7');
  t.like(calls[0], { method: 'POST', url: '/v4/orders/7/ship', body: undefined });
});
