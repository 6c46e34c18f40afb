import { readHostedImage } from '../../usecases/items/read-hosted-image.ts';
import { param, type Answer, type Call } from '../http/route.ts';

/**
 * A key holds the hash of its content, so a response never changes. Pages of other sites, above all auctions, embed the images.
 */
const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export async function getImage(call: Call): Promise<Answer> {
  const key = `${param(call, 'accountId')}/${param(call, 'hash')}/${param(call, 'file')}`;
  const bytes = await readHostedImage(call.context, key);
  return { status: 200, content: { type: 'image/jpeg', bytes }, headers };
}
