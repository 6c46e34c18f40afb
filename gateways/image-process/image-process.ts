// A process that downloads, decodes and stores untrusted pictures, so that it can be killed. It has no settings, no secrets and no
// key of the image store.
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { createImageDownload } from './download-image.ts';
import { ImageWork } from './image-work.ts';
import type { ProcessSettings, ProcessTask } from './process-messages.ts';

/** Lower priority than deliveries and answers to callers. */
const niceness = 5;

const end = (): void => {
  // A decoder of libvips can't be interrupted, and keeps `process.exit` waiting.
  process.kill(process.pid, 'SIGKILL');
};

function begin({ allowPrivateNetworks, roomMegabytes }: ProcessSettings): ImageWork {
  const download = createImageDownload({ agent: createGuardedAgent({ allowPrivateNetworks }) });
  return new ImageWork({ download, roomMegabytes, send: (answer) => process.send?.(answer), onTooMuch: end });
}

setPriority(niceness);
try {
  // When memory runs out, Linux kills this process and not the worker.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Other systems have no such file.
}
// A signal to the whole process group is handled by the worker, which lets its images be finished.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', end);
let work: ImageWork | undefined;
// The worker, which writes these messages, is trusted.
process.on('message', (message: ProcessSettings | ProcessTask) => {
  if ('kind' in message)
    work?.do(message).catch((error: unknown) => {
      // Ends this process, because an unknown fault may have damaged more.
      throw error;
    });
  else {
    work = begin(message);
    process.send?.('ready');
  }
});
