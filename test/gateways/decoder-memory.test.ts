import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { DecoderMemory, megabytes } from '../../gateways/image-process/decoder-memory.ts';

test('where images wait for memory, the account whose images took the least time comes first', async (t) => {
  const memory = new DecoderMemory();
  const never = new AbortController().signal;
  const all = { size: megabytes.max };
  (await memory.acquire({ account: 'heavy', ...all }, never))(20);
  (await memory.acquire({ account: 'light', ...all }, never))(10);
  const release = await memory.acquire({ account: 'first', ...all }, never);
  const order: string[] = [];
  for (const account of ['heavy', 'light'])
    memory.acquire({ account, ...all }, never).then(
      (give) => {
        order.push(account);
        give(0);
      },
      (error: unknown) => t.fail(String(error)),
    );
  release(0);
  await turn();
  t.deepEqual(order, ['light', 'heavy']);
});
