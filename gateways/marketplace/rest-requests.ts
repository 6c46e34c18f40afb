import type { MarketplaceHttp } from './marketplace-http.ts';
import { MarketplaceError, type Seller } from './port.ts';
import { errorCodes, imageBody, imageBytesMax, paths } from './wire.ts';

// Calls on a request, for a new listing or for a change, before it takes effect.

/** The pictures of a request are shown in the order in which they were added. */
export async function addImage(
  http: MarketplaceHttp,
  image: { seller: Seller; requestId: string; jpeg: Buffer },
): Promise<void> {
  const { seller, requestId, jpeg } = image;
  if (jpeg.length > imageBytesMax)
    throw new MarketplaceError('refused', 'the image is larger than the marketplace takes');
  const path = paths.images(requestId);
  await http.call({ effect: 'write', method: 'POST', path, seller, body: imageBody(jpeg), parse: ignoreBody });
}

/** "Committed already" means success for a repeated commit: the first one arrived. */
export async function commitRequest(http: MarketplaceHttp, seller: Seller, requestId: string): Promise<void> {
  try {
    await http.call({ effect: 'write', method: 'POST', path: paths.commit(requestId), seller, parse: ignoreBody });
  } catch (error) {
    if (error instanceof MarketplaceError && error.code === errorCodes.alreadyCommitted) return;
    throw error;
  }
}

export const ignoreBody = (): void => undefined;
