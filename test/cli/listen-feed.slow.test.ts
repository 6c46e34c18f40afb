import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { runItembridge } from './support/run-itembridge.ts';

/** A feed of so many events, whose cursors are their numbers. */
async function aFeed(count: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://feed.test');
    asked.push(searchParams.toString());
    const [after, limit] = [Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit') ?? 100)];
    const numbers = Array.from({ length: Math.min(limit, count - after) }, (_, index) => after + index + 1);
    const events = numbers.map((number) => ({
      eventId: `evt_${number}`,
      eventType: 'item.sold',
      timestamp: '2026-03-01T00:00:00Z',
      data: { externalId: `A-${number}` },
    }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ events, nextCursor: String(after + events.length) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, close, env: { ITEMBRIDGE_URL: `http://127.0.0.1:${port}`, ITEMBRIDGE_API_KEY: 'sk_live_test' } };
}

test('the cursor that a limited listening ends with leads to the first event that was not printed', async (t) => {
  const { env, close, asked } = await aFeed(8);
  t.teardown(close);
  const listen = (...args: string[]) => runItembridge(['webhooks', 'listen', '--from-log', '--json', ...args], { env });
  const first = await listen('--all', '--limit', '3');
  t.is(first.code, 0, first.stderr);
  const cursor = /--after (\S+)/.exec(first.stderr)?.[1] ?? '';
  const second = await listen('--after', cursor, '--limit', '5');
  const printed = `${first.stdout}${second.stdout}`.trim().split('\n');
  t.deepEqual(
    printed.map((line) => JSON.parse(line).eventId),
    ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6', 'evt_7', 'evt_8'],
  );
  t.regex(second.stderr, /--after 8\n/);
  t.deepEqual(asked, ['limit=3', 'after=3&limit=5']);
});

test("an endpoint's secret is refused as an argument, and taken from a file", async (t) => {
  const secret = 'whsec_dGhlIHNlY3JldA==';
  const refused = await runItembridge(['webhooks', 'listen', '--port', '0', '--secret', secret]);
  t.is(refused.code, 2);
  t.regex(refused.stderr, /ITEMBRIDGE_WEBHOOK_SECRET or --secret-file/);
  t.false(`${refused.stdout}${refused.stderr}`.includes(secret));
  const missing = await runItembridge(['webhooks', 'listen', '--port', '0', '--secret-file', '/nonexistent']);
  t.is(missing.code, 2);
  t.regex(missing.stderr, /can't be read/);
});

test('--version says the version of the package', async (t) => {
  const { version } = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as { version: string };
  t.deepEqual(await runItembridge(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});
