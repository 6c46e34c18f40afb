import test from 'ava';
import sharp from 'sharp';
import { withComment } from '../../bench/support/photos.ts';

test('a picture under another address has other bytes and the same pixels', async (t) => {
  const input = { create: { width: 32, height: 24, channels: 3, background: '#804020' } } as const;
  const photo = await sharp(input).jpeg().toBuffer();
  const [one, other] = [withComment(photo, 'one'), withComment(photo, 'other')];
  t.notDeepEqual(one, other);
  const pixelsOf = (jpeg: Buffer): Promise<Buffer> => sharp(jpeg, { failOn: 'error' }).raw().toBuffer();
  t.deepEqual(await pixelsOf(one), await pixelsOf(photo));
  t.deepEqual(await pixelsOf(other), await pixelsOf(photo));
});
