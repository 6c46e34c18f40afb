import test from 'ava';
import sharp from 'sharp';
import { logoBytesMax, logoTypeOf } from '../../features/resellers/rules/logo.ts';

const picture = sharp({ create: { width: 20, height: 10, channels: 4, background: '#09c8' } });

test('a PNG, a JPEG and a WebP are told by their bytes', async (t) => {
  for (const type of ['png', 'jpeg', 'webp'] as const)
    t.is(logoTypeOf(await picture.toFormat(type).toBuffer()), `image/${type}`);
});

test('what is none of them, or too large, is no logo', async (t) => {
  const png = await picture.png().toBuffer();
  for (const [name, bytes] of [
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['GIF', await picture.gif().toBuffer()],
    ['AVIF', await picture.avif().toBuffer()],
    ['a heavy PNG', Buffer.concat([png, Buffer.alloc(logoBytesMax)])],
    ['a page that begins as a PNG', Buffer.concat([png.subarray(0, 8), Buffer.from('<script>alert(1)</script>')])],
    ['a PNG with a page behind it', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])],
    ['half a JPEG', (await picture.jpeg().toBuffer()).subarray(0, -20)],
    ['half a WebP', (await picture.webp().toBuffer()).subarray(0, -20)],
  ] as const)
    t.is(logoTypeOf(bytes), undefined, name);
});
