// An image process with the faults that its addresses name: https://host/<name>. Fetches nothing, and says its id in place of the
// bytes that it stored.
import { createHash } from 'node:crypto';

const names = new Map();

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
  encode({ image, megabytesMax }) {
    const name = names.get(image);
    if (name.startsWith('dies')) process.kill(process.pid, 'SIGSEGV');
    // Like a decoder that never ends, without its processor time.
    if (name.startsWith('spins')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (name.startsWith('lies')) return process.send({ kind: 'stored', image, bytes: 'many' });
    const megabytes = Number(/^(\d+)-MB/.exec(name)?.[1] ?? 0);
    if (megabytes > megabytesMax) return process.send({ kind: 'too heavy', image, megabytes });
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
