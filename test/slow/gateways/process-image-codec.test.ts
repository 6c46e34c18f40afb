import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import sharp from 'sharp';
import {
  createProcessImageCodec,
  type ProcessImageCodecOptions,
} from '../../../gateways/image-process/process-image-codec.ts';
import { UnusableImage } from '../../../gateways/image-process/port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isRunning, processTree } from '../../gateways/support/process-memory.ts';

/** Has the faults that its images name, and starts quickly. */
const faultyDecoder = `
  import { readSync } from 'node:fs';
  process.on('message', ({ length, megabytesMax }) => {
    if (length > 1_000_000) {
      const none = Buffer.alloc(0);
      process.send({ kind: 'encoded', image: { large: none, thumb: none, widthPx: 1, heightPx: 1 } });
      return;
    }
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at += readSync(4, bytes, at, length - at, null));
    const text = bytes.toString();
    if (text === 'die') process.kill(process.pid, 'SIGSEGV');
    if (text === 'hang') for (;;);
    const megabytes = Number(/^(\\d+) MB$/.exec(text)?.[1] ?? 0);
    const image = { large: Buffer.from(String(process.pid)), thumb: bytes, widthPx: 1, heightPx: 1 };
    process.send(megabytes > megabytesMax ? { kind: 'too heavy', megabytes } : { kind: 'encoded', image });
  });
  process.send('ready');
`;
const program = join(temporaryFolder('decoder'), 'decoder.mjs');
writeFileSync(program, faultyDecoder);

function aCodec(t: ExecutionContext, options: ProcessImageCodecOptions = {}) {
  const codec = createProcessImageCodec({ program, ...options });
  t.teardown(() => codec.close());
  return (text: string, account = 'a', signal?: AbortSignal) => codec.encode(Buffer.from(text), { account, signal });
}

test('an image is encoded in another process, by the codec that hosts it', async (t) => {
  const codec = createProcessImageCodec();
  t.teardown(() => codec.close());
  const picture = sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: '#dc1414' } });
  const { large, thumb, widthPx, heightPx } = await codec.encode(await picture.jpeg().toBuffer(), { account: 'a' });
  t.deepEqual([widthPx, heightPx], [1_600, 800]);
  t.is((await sharp(large).metadata()).width, 1_600);
  t.is((await sharp(thumb).metadata()).width, 400);
  t.true(processTree(process.pid).length > 1);
  // Of the largest size that fits the granted memory, and then weighed.
  const heavy = await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#dc1414' } })
    .png()
    .toBuffer();
  t.is((await codec.encode(heavy, { account: 'a' })).widthPx, 1_600);
  await t.throwsAsync(codec.encode(Buffer.from('<svg/>'), { account: 'a' }), {
    instanceOf: UnusableImage,
    message: 'the file is not a JPEG, PNG, GIF, WebP or AVIF image',
  });
});

test('an image that ends its process three times is unusable, and the next one is encoded', async (t) => {
  const encode = aCodec(t);
  await t.throwsAsync(encode('die'), {
    instanceOf: UnusableImage,
    message: 'the image cannot be decoded: save it again in another program',
  });
  t.is((await encode('fine')).thumb.toString(), 'fine');
});

test('what answers before it has read the image is killed: it must not read what its buffer holds next', async (t) => {
  const encode = aCodec(t);
  const pid = Number((await encode('fine')).large);
  const { failure } = await t.throwsAsync(encode('x'.repeat(2_000_000)), { instanceOf: UnusableImage });
  t.is(failure.kind, 'undecodable');
  while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
});

test('where no decoder can start, no image is to blame', async (t) => {
  const encode = aCodec(t, { program: join(import.meta.dirname, 'no-such-program.mjs') });
  await t.throwsAsync(encode('fine'), { message: 'no decoder could start' });
});

test('an image that holds its process for too long is unusable, and its process is killed', async (t) => {
  const encode = aCodec(t, { timeoutMs: 1_500 });
  const [first, hanging] = await Promise.allSettled([encode('fine'), encode('hang')]);
  t.is(first.status, 'fulfilled');
  t.is(
    hanging.status === 'rejected' && hanging.reason instanceof UnusableImage && hanging.reason.message,
    'the image cannot be decoded: save it again in another program (after 1.5 s)',
  );
  t.is((await encode('fine')).thumb.toString(), 'fine');
});

test('a stopped image ends its process, and says nothing about the image', async (t) => {
  const encode = aCodec(t);
  const pid = Number((await encode('fine')).large);
  const stopping = new AbortController();
  const hanging = encode('hang', 'a', stopping.signal);
  setTimeout(() => stopping.abort(new Error('stopped')), 50);
  await t.throwsAsync(hanging, { message: 'stopped' });
  while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
  t.pass();
});

test('a process that has nothing to do serves the next image, and one that died meanwhile harms nobody', async (t) => {
  const encode = aCodec(t);
  const pid = Number((await encode('fine')).large);
  t.is(Number((await encode('fine')).large), pid);
  process.kill(pid, 'SIGKILL');
  t.not(Number((await encode('fine')).large), pid);
});

test('a process that is used again and again does not end', async (t) => {
  const encode = aCodec(t, { idleMs: 100 });
  const pids = new Set<string>();
  // Longer than it may lie unused, by far.
  for (const begun = performance.now(); performance.now() - begun < 500;)
    pids.add((await encode('fine')).large.toString());
  t.is(pids.size, 1);
});

test('an unused process ends after a while', async (t) => {
  const encode = aCodec(t, { idleMs: 20 });
  const pid = Number((await encode('fine')).large);
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  t.pass();
});

test('an image waits until the memory that it takes is free, and one of another account passes it', async (t) => {
  const encode = aCodec(t, { timeoutMs: 3_000 });
  const order: string[] = [];
  const note = (text: string, account: string): Promise<unknown> =>
    encode(text, account).then(
      () => order.push(`${account}: ${text}`),
      () => order.push(`${account}: killed`),
    );
  await encode('fine');
  const hanging = note('hang', 'a');
  await Promise.all([hanging, note('340 MB', 'a'), note('100 MB', 'b')]);
  t.deepEqual(order, ['b: 100 MB', 'a: killed', 'a: 340 MB']);
});

test('an image that is under way when the worker stops is not to blame', async (t) => {
  const codec = createProcessImageCodec({ program });
  await codec.encode(Buffer.from('fine'), { account: 'a' });
  const hanging = codec.encode(Buffer.from('hang'), { account: 'a' });
  setTimeout(() => void codec.close(), 50);
  await t.throwsAsync(hanging, { message: 'the decoders are closed' });
});
