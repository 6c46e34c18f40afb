// An image process with the faults that its addresses name: https://host/<name>. Fetches nothing, and says its id in place of the
// bytes that it stored.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const names = new Map();

/** Like a decoder that never ends, without its processor time. The file says that it has begun. */
function spin(file) {
  if (file !== '') writeFileSync(file, '');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const tasks = {
  fetch({ image, url }) {
    const name = new URL(url).pathname.slice(1);
    names.set(image, name);
    if (name.startsWith('hangs')) return;
    if (name.startsWith('dies-early')) process.kill(process.pid, 'SIGKILL');
    if (name.startsWith('lacks'))
      process.send({ kind: 'unusable', image, failure: { kind: 'not_found', number: 404 }, retry: 'never' });
    else process.send({ kind: 'fetched', image, contentHash: createHash('sha256').update(name).digest('hex') });
  },
  encode({ image, megabytesMax, places }) {
    const name = names.get(image);
    if (name.startsWith('dies')) process.kill(process.pid, 'SIGSEGV');
    if (name.startsWith('spins')) spin(places.large.path);
    if (name.startsWith('crawls')) return process.send({ kind: 'too slow', image, seconds: 10 });
    if (name.startsWith('lies')) return process.send({ kind: 'stored', image, bytes: 'many' });
    const megabytes = Number(/^(\d+)-MB/.exec(name)?.[1] ?? 0);
    if (megabytes > megabytesMax) {
      if (places.large.path !== '') writeFileSync(places.large.path, '');
      return process.send({ kind: 'too heavy', image, megabytes });
    }
    process.send({ kind: 'encoded', image });
    if (name.startsWith('full')) process.send({ kind: 'not stored', image, reason: 'ENOSPC' });
    else process.send({ kind: 'stored', image, bytes: process.pid });
  },
  forget() {},
};

process.on('message', (task) => {
  if (task.kind === undefined) process.send('ready');
  else tasks[task.kind](task);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
