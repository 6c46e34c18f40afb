import type { Dispatcher } from 'undici';
import type { OperationName } from '../../gateways/marketplace/v4-operations.ts';
import type { Answer } from '../simulators/support/call.ts';
import { aListing, jpeg, type TestSeller } from '../simulators/support/seller.ts';
import { operationOf } from './marketplace-v4.ts';
import { present } from '../support/clock.ts';

export interface Exchange {
  readonly name: OperationName;
  readonly sent: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly answer: Answer;
}

/** A listing with everything that may be sent. */
const wholeListing = (): Record<string, unknown> =>
  aListing({
    descriptionLanguageCodeIso2: 'sv',
    reservePrice: 450,
    buyItNowPrice: 900,
    restarts: 1,
    vat: 25,
    customEndDate: iso(9),
    shippingOptions: [
      { shippingProviderId: 1, shippingProductId: 101, cost: 63, shippingWeight: 0.8, shippingWeightSpecified: true },
      { shippingOptionId: 8, cost: 0 },
    ],
    attributeValues: { terms: [{ id: 135, values: ['Gott skick'] }], numbers: [] },
    itemAttributes: [2],
    paymentOptionIds: [4096],
    expoItemIds: [],
    shippingCondition: 'Skickas inom två dagar.',
    paymentCondition: 'Betalas direkt.',
    campaignCode: null,
  });

/** Plays a seller's life, so that every operation of the table is called, with answers full and empty, yes and no. */
export async function driveEveryOperation(seller: TestSeller): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const ask = async (method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Answer> => {
    const answer = await seller.wire(method, path, body);
    const name = operationOf(method, path.replace(/\?.*/, ''));
    if (name === undefined) throw new Error(`the story calls ${method} ${path}, which is in no table`);
    exchanges.push({ name, sent: { method, path, body }, answer });
    return answer;
  };
  await readReferenceData(ask);
  await connect(seller, ask);
  const publish = async (listing: unknown): Promise<number> => {
    const { requestId, itemId } = (await ask('POST', items, listing)).json<{ requestId: number; itemId: number }>();
    await ask('POST', `${items}/${requestId}/images`, {
      imageData: jpeg.toString('base64'),
      imageFormat: 0,
      hasMega: false,
    });
    await ask('POST', `${items}/${requestId}/images`, {
      imageData: jpeg.toString('base64'),
      imageFormat: 1,
      hasMega: false,
    });
    await ask('GET', `/v4/listings/request-results?requestIds=${requestId}`);
    await ask('GET', `${items}/${itemId}`);
    await seller.advance(2);
    await ask('POST', `${items}/${requestId}/commit`);
    await ask('GET', `/v4/listings/request-results?requestIds=${requestId}&requestIds=${requestId + 1}`);
    await seller.settle();
    await ask('GET', `/v4/listings/request-results?requestIds=${requestId}`);
    await ask('POST', `${items}/${requestId}/commit`);
    return itemId;
  };
  await publish(wholeListing());
  const { itemId: whole } = await seller.live(wholeListing());
  const { itemId: plain } = await seller.live({ restarts: 1, ownReferences: [], shippingOptions: [] });
  await changePrices(ask, { whole, plain });
  await readItems(ask, plain);
  await ask('DELETE', `${items}/${plain}`);
  await ask('POST', `${items}/${plain}/restart`);
  await ask('POST', `${items}/${plain}/restart`);
  await seller.settle();
  await ask('GET', `/v4/items/${plain}/restarts`);
  await sell({ seller, ask }, whole);
  await readItems(ask, whole);
  await ask('GET', `${items}/1`);
  return exchanges;
}

const items = '/v4/listings/items';
type Ask = (method: Dispatcher.HttpMethod, path: string, body?: unknown) => Promise<Answer>;

async function readReferenceData(ask: Ask): Promise<void> {
  await ask('GET', '/v4/swagger/v4/swagger.json');
  for (const name of ['time', 'accepted-bidder-types', 'item-types', 'item-field-values', 'shipping-options'])
    await ask('GET', `/v4/reference-data/${name}`);
  await ask('GET', '/v4/reference-data/shipping-options?fromCountryCodes=SE&fromCountryCodes=DK&categoryIds=520');
  await ask('GET', '/v4/categories');
  for (const category of [520, 2108, 10, 999]) await ask('GET', `/v4/categories/${category}/attribute-definitions`);
}

async function connect({ simulator, application }: TestSeller, ask: Ask): Promise<void> {
  const secretKey = 'k'.repeat(36);
  const keys = new URLSearchParams({ appId: application['x-app-id'], pkey: 'simulator-public-key', skey: secretKey });
  await fetch(`${simulator.url}/token-login?${keys.toString()}`, {
    method: 'POST',
    body: new URLSearchParams({ userId: '77', answer: 'accept' }),
  });
  await ask('POST', '/v4/auth/token', { userId: 77, secretKey });
  await ask('POST', '/v4/auth/token', { userId: 77, secretKey });
  await ask('GET', '/v4/users/me');
  await ask('GET', '/v4/users/77/seller-info');
}

async function changePrices(ask: Ask, { whole, plain }: { whole: number; plain: number }): Promise<void> {
  await ask('PUT', `${items}/${plain}/price`, { openingPrice: 350 });
  await ask('PUT', `${items}/${plain}/price`, { openingPrice: 350, binPrice: 700 });
  await ask('PUT', `${items}/${whole}/price`, { openingPrice: null, binPrice: 950 });
  await ask('PUT', `${items}/prices`, {
    id: whole,
    openingPrice: 350,
    reservedPrice: { price: 460 },
    binPrice: { price: 960 },
  });
  await ask('PUT', `${items}/prices`, { id: whole, openingPrice: 350 });
}

async function readItems(ask: Ask, itemId: number): Promise<void> {
  await ask('GET', `${items}/${itemId}`);
  await ask('GET', `/v4/items/${itemId}`);
  await ask('GET', '/v4/listings/seller-items');
  const window = `minEndDate=${iso(-30)}&maxEndDate=${iso(30)}&maxStartDate=${iso(1)}`;
  await ask('GET', `/v4/listings/seller-items?filterActive=1&filterItemType=1&categoryId=520&${window}`);
  await ask('GET', `/v4/listings/seller-items?filterActive=2&${window}`);
  await ask('GET', '/v4/listings/updated-seller-items');
  await ask('GET', '/v4/listings/updated-seller-items?rowVersion=1');
  await ask('GET', `/v4/items/seller/77/quick-info?minCreatedDate=${iso(-1)}&maxCreatedDate=${iso(1)}`);
}

async function sell({ seller, ask }: { seller: TestSeller; ask: Ask }, itemId: number): Promise<void> {
  await seller.bid(itemId, 500, 'kim');
  await ask('DELETE', `${items}/${itemId}`);
  await ask('PUT', `${items}/${itemId}/price`, { openingPrice: 300 });
  await seller.end(itemId);
  await ask('POST', `${items}/${itemId}/restart`);
  const sales = await ask('GET', `/v4/listings/seller-transactions?minTransactionDate=${iso(-1)}&filter=4`);
  const transactionId = sales.json<{ id: number }[]>()[0]?.id ?? 0;
  await ask('PUT', '/v4/listings/transaction-status', {
    transactionId,
    markAsPaidConfirmed: true,
    markedAsShipped: null,
  });
  await ask('PUT', '/v4/listings/transaction-status', { transactionId });
  const read = () => ask('GET', `/v4/orders?fromDate=${iso(-1)}&toDate=${iso(30)}&queryDateMode=1`);
  const orderId = (await read()).json<{ orderId: number }[]>()[0]?.orderId ?? 0;
  await seller.admin('POST', `/transactions/${transactionId}/pay`);
  await read();
  await ask('GET', `/v4/orders?fromDate=${iso(-1)}&queryDateMode=0`);
  await ask('GET', `/v4/orders/${orderId},${orderId + 1}`);
  await ask('POST', `/v4/orders/${orderId}/ship`);
  await ask('POST', `/v4/orders/${orderId + 1}/ship`);
}

const iso = (days: number): string => present(days * 24 * 3_600_000).toISOString();
