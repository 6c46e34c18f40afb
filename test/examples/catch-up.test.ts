import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { catchUp } from '../../examples/verify-webhook/catch-up.ts';

const event = (n: number): object => ({
  eventId: `evt_${n}`,
  eventType: 'item.created',
  data: { externalId: `A${n}` },
});

/** A feed of five events in pages of two; cursors before `gone` are too old, and `failures` answers fail first. */
async function aFeed({ gone = 0, failures = 0 } = {}) {
  const asked: (string | null)[] = [];
  let left = failures;
  const server = createServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://feed').searchParams.get('after');
    asked.push(after);
    const from = Number(after ?? gone);
    const status = from < gone ? 410 : asked.length > 1 && left-- > 0 ? 503 : 200;
    const events = [1, 2, 3, 4, 5].filter((n) => n > from).slice(0, 2);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ events: events.map(event), nextCursor: String(events.at(-1) ?? from) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const taken: string[] = [];
  const saved: string[] = [];
  const run = (cursor: string | null): Promise<void> =>
    catchUp({
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: 'sk_live_test',
      cursor,
      take: async ({ eventId }) => {
        taken.push(eventId);
      },
      saveCursor: async (next) => {
        saved.push(next);
      },
    });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { asked, taken, saved, run, close };
}

const ids = (...numbers: number[]): string[] => numbers.map((n) => `evt_${n}`);

test('everything since the cursor is taken once, oldest first, page by page', async (t) => {
  const feed = await aFeed();
  await feed.run('1');
  feed.close();
  t.deepEqual(feed.taken, ids(2, 3, 4, 5));
  t.deepEqual(feed.asked, ['1', '3', '5']);
  t.deepEqual(feed.saved, ['3', '5', '5']);
});

test('without a cursor it begins with the oldest', async (t) => {
  const feed = await aFeed();
  await feed.run(null);
  feed.close();
  t.deepEqual(feed.taken, ids(1, 2, 3, 4, 5));
});

test('a cursor that is too old is answered with 410, and reading begins anew', async (t) => {
  const feed = await aFeed({ gone: 3 });
  await feed.run('1');
  feed.close();
  t.deepEqual(feed.asked, ['1', null, '5']);
  t.deepEqual(feed.taken, ids(4, 5));
});

test('cut off in the middle, the next call goes on where it was', async (t) => {
  const feed = await aFeed({ failures: 1 });
  await t.throwsAsync(feed.run(null), { message: /answered 503/ });
  t.deepEqual(feed.saved, ['2']);
  await feed.run(feed.saved.at(-1) ?? null);
  feed.close();
  t.deepEqual(feed.taken, ids(1, 2, 3, 4, 5));
});
