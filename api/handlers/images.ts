import { hostedImageHeaders } from '../../core/items/image-set.ts';
import { readHostedImage } from '../../usecases/images/hosted-image.ts';
import { param, type Answer, type Call } from '../http/route.ts';

/** Pages of other sites, above all auctions, embed the images. */
const headers = {
  'Cache-Control': hostedImageHeaders.cacheControl,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export async function getImage(call: Call): Promise<Answer> {
  const key = `${param(call, 'accountId')}/${param(call, 'hash')}/${param(call, 'file')}`;
  return { status: 200, file: { type: hostedImageHeaders.type, ...readHostedImage(call.context, key) }, headers };
}
