import type { MarketplaceHttp } from './marketplace-http.ts';
import {
  MarketplaceError,
  type ChangeOutcome,
  type ChangeReceipt,
  type ListingChanges,
  type ListingKeeper,
  type RemovalOutcome,
  type Seller,
} from './port.ts';
import { addImage, commitRequest, ignoreBody } from './rest-requests.ts';
import { changesBody, errorCodes, paths, pricesBody, readChangeOutcome, readChangeRequest } from './wire.ts';

/** Changes and take-downs over the marketplace's REST v4. For the meaning of outcomes see port.ts. */
export function createRestListingKeeper(http: MarketplaceHttp): ListingKeeper {
  return {
    revise: (seller, adId, changes) => answered(() => revise(http, seller, { adId, changes })),
    changePrice: (seller, adId, prices) =>
      answered(() => put(http, seller, { path: paths.prices, body: pricesBody(adId, prices) })),
    readChange: (seller, requestId) =>
      http.call({
        effect: 'read',
        method: 'GET',
        path: paths.results(requestId),
        seller,
        parse: (body) => readChangeOutcome(body, requestId),
      }),
    remove: (seller, adId) => remove(http, seller, adId),
  };
}

/** A change with pictures takes effect by its commit, so an interrupted one changes nothing. */
async function revise(
  http: MarketplaceHttp,
  seller: Seller,
  { adId, changes }: { adId: string; changes: ListingChanges },
): Promise<string> {
  const requestId = await put(http, seller, { path: paths.item(adId), body: changesBody(changes) });
  if (changes.jpegs === null) return requestId;
  for (const jpeg of changes.jpegs) await addImage(http, { seller, requestId, jpeg });
  await commitRequest(http, seller, requestId);
  return requestId;
}

const put = (http: MarketplaceHttp, seller: Seller, { path, body }: { path: string; body: object }): Promise<string> =>
  http.call({ effect: 'write', method: 'PUT', path, seller, body, parse: readChangeRequest });

/** An immediate refusal is an outcome like a later one. */
async function answered(ask: () => Promise<string>): Promise<ChangeReceipt> {
  try {
    return { requestId: await ask() };
  } catch (error) {
    if (error instanceof MarketplaceError && error.kind === 'refused') return { outcome: outcomeOf(error) };
    throw error;
  }
}

function outcomeOf({ code, message }: MarketplaceError): ChangeOutcome {
  if (code === errorCodes.itemHasBids) return { kind: 'has_bids', message };
  if (code === errorCodes.itemNotActive) return { kind: 'not_active' };
  if (code === errorCodes.itemNotYetActive) return { kind: 'try_again', message };
  return { kind: 'refused', message };
}

async function remove(http: MarketplaceHttp, seller: Seller, adId: string): Promise<RemovalOutcome> {
  try {
    await http.call({ effect: 'write', method: 'DELETE', path: paths.item(adId), seller, parse: ignoreBody });
    return 'removed';
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.code === errorCodes.itemHasBids) return 'has_bids';
    if (error.code === errorCodes.itemNotActive) return 'not_active';
    throw error;
  }
}
