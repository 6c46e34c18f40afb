import { randomBytes } from 'node:crypto';
import test from 'ava';
import { startWebhookReceiver } from '../../simulators/webhook-receiver/start-webhook-receiver.ts';
import { call } from './support/call.ts';
import { aCertificate, aFolder } from './support/certificate.ts';

interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly rawBase64: string;
}

test('takes a webhook over HTTPS at any path and gives it back byte for byte', async (t) => {
  const { tls, dispatcher } = await aCertificate(t);
  const receiver = await startWebhookReceiver({ tls });
  t.teardown(() => receiver.close());
  t.regex(receiver.url, /^https:/);
  const body = { eventType: 'item.sold', data: { externalId: 'Å1' } };
  const headers = { 'x-signature': 'abc' };
  t.is((await call('POST', `${receiver.url}/hooks/a?x=1`, { body, headers, dispatcher })).status, 200);
  await call('POST', `${receiver.url}/hooks/b`, { body: { eventType: 'item.created' }, dispatcher });

  const received = async (query = '') =>
    (await call('GET', `${receiver.adminUrl}/received${query}`, { dispatcher })).json<{ received: Received[] }>()
      .received;
  t.deepEqual(
    (await received()).map(({ path }) => path),
    ['/hooks/a', '/hooks/b'],
  );
  const [sold, ...others] = await received('?eventType=item.sold');
  t.deepEqual(others, []);
  t.like(sold, { path: '/hooks/a', method: 'POST', body });
  t.is(sold?.headers['x-signature'], 'abc');
  t.is(Buffer.from(sold?.rawBase64 ?? '', 'base64').toString(), JSON.stringify(body));
  t.is((await received('?path=^/hooks/b$')).length, 1);
});

test('keeps what is no JSON as bytes, and forgets everything when asked', async (t) => {
  const receiver = await startWebhookReceiver();
  t.teardown(() => receiver.close());
  const bytes = randomBytes(100);
  await fetch(`${receiver.url}/x`, { method: 'POST', body: bytes });
  const read = async () =>
    (await call('GET', `${receiver.adminUrl}/received`)).json<{ received: Received[] }>().received;
  t.like((await read())[0], { body: null, rawBase64: bytes.toString('base64') });
  await call('DELETE', `${receiver.adminUrl}/received`);
  t.deepEqual(await read(), []);
});

test('a status fault is an endpoint that refuses: nothing counts as received', async (t) => {
  const receiver = await startWebhookReceiver();
  t.teardown(() => receiver.close());
  await call('POST', `${receiver.adminUrl}/faults`, { body: { mode: 'status', status: 410, path: '^/hooks/a$' } });
  t.is((await call('POST', `${receiver.url}/hooks/a`, { body: {} })).status, 410);
  t.is((await call('POST', `${receiver.url}/hooks/b`, { body: {} })).status, 200);
  const { received } = (await call('GET', `${receiver.adminUrl}/received`)).json<{ received: Received[] }>();
  t.deepEqual(
    received.map(({ path }) => path),
    ['/hooks/b'],
  );
});

test('with a data folder what was received survives a restart', async (t) => {
  const dataDir = aFolder(t);
  const first = await startWebhookReceiver({ dataDir });
  await call('POST', `${first.url}/hooks/a`, { body: { eventType: 'item.sold' } });
  await first.close();
  const second = await startWebhookReceiver({ dataDir });
  t.teardown(() => second.close());
  const { received } = (await call('GET', `${second.adminUrl}/received?eventType=item.sold`)).json<{
    received: Received[];
  }>();
  t.is(received.length, 1);
});
