// A process that decodes untrusted images, one after the other, so that it can be killed. It has no settings and no
// secrets.
import { readSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { bytesFd, isDecoderTask, type DecoderAnswer } from './decoder-messages.ts';
import { encodeImage } from './encode-image.ts';
import { UnusableImage } from './port.ts';

/** Lower priority than deliveries and answers to callers. */
const niceness = 5;

async function answer(message: unknown): Promise<DecoderAnswer> {
  if (!isDecoderTask(message)) throw new Error('a decoder was asked for something else');
  try {
    const encoded = await encodeImage(readImage(message.length), message.megabytesMax);
    return 'megabytes' in encoded ? { kind: 'too heavy', ...encoded } : { kind: 'encoded', image: encoded };
  } catch (error) {
    if (error instanceof UnusableImage) return { kind: 'unusable', failure: error.failure };
    throw error;
  }
}

/** Blocks, because this process has nothing else to do. */
function readImage(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length;) {
    const read = readSync(bytesFd, bytes, at, length - at, null);
    if (read === 0) throw new Error('the worker is gone');
    at += read;
  }
  return bytes;
}

setPriority(niceness);
try {
  // When memory runs out, Linux kills this process and not the worker.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Other systems have no such file.
}
// A signal to the whole process group is handled by the worker, which lets this image be finished.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// A decoder of libvips can't be interrupted, and keeps `process.exit` waiting.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message) => {
  answer(message).then(
    (known) => process.send?.(known),
    // The error ends this process, because an unknown fault may have damaged more.
    (error: unknown) => {
      throw error;
    },
  );
});
process.send?.('ready');
