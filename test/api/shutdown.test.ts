import test from 'ava';
import { listen } from '../../api/http/listen.ts';
import { isError, startApiWorld } from '../support/api-world.ts';

test('stopping lets the request under way finish and takes no new ones', async (t) => {
  const started = withResolvers();
  const goOn = withResolvers();
  const world = await startApiWorld({
    replace: ({ imageStore }) => ({
      imageStore: {
        ...imageStore,
        open: async (key) => {
          started.resolve();
          await goOn.promise;
          return imageStore.open(key);
        },
      },
    }),
  });
  const underWay = world.call('GET', '/images/a/b/large.jpg');
  await started.promise;
  const closed = world.close();
  await t.throwsAsync(world.call('GET', '/healthz'));
  goOn.resolve();
  isError(t, await underWay, { status: 404, code: 'NOT_FOUND' });
  await closed;
});

test('a port that is taken is an error at the start', async (t) => {
  const world = await startApiWorld();
  const port = Number(new URL(world.url).port);
  await t.throwsAsync(listen(world.served, { host: '127.0.0.1', port }), { code: 'EADDRINUSE' });
  await world.close();
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
