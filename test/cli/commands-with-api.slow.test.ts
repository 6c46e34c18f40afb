import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { webhookSignatureHeaders } from '../../features/webhooks/signature.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { runItembridge, startItembridge } from './support/run-itembridge.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);
const of = ({ apiKey }: TestAccount) => ({ ITEMBRIDGE_URL: world().url, ITEMBRIDGE_API_KEY: apiKey });
const item = { title: 'Bromsskiva', price: 150, imageUrls: [] };

test('items get, list, publish, timeline and remove do what the interface does', async (t) => {
  const account = await world().account();
  const env = of(account);
  await world().call('PUT', '/integration/v1/items/A-1', { apiKey: account.apiKey, body: item });
  const got = await runItembridge(['items', 'get', 'A-1'], { env });
  t.like(JSON.parse(got.stdout), { externalId: 'A-1', title: 'Bromsskiva', price: 150 });
  const listed = await runItembridge(['items', 'list', '--search', 'bromsskiva', '--limit', '1', '--json'], { env });
  t.like(JSON.parse(listed.stdout), { externalId: 'A-1' });
  t.is((await runItembridge(['items', 'publish', 'A-1'], { env })).code, 0);
  t.regex((await runItembridge(['items', 'timeline', 'A-1'], { env })).stdout, /publish_requested[^]*created/);
  t.is((await runItembridge(['items', 'remove', 'A-1'], { env })).code, 0);
  const gone = await runItembridge(['items', 'get', 'A-1'], { env });
  t.is(gone.code, 2);
  t.regex(gone.stderr, /\(NOT_FOUND\)/);
});

test('keys are made, listed and revoked by who signs in, and no session is left', async (t) => {
  const { email, password, token } = await world().account();
  const env = { ITEMBRIDGE_URL: world().url, ITEMBRIDGE_PASSWORD: password };
  const created = await runItembridge(['keys', 'create', '--name', 'lager', '--email', email], { env });
  const apiKey = created.stdout.trim();
  t.is((await world().call('GET', '/integration/v1/items', { apiKey })).status, 200);
  const { keys } = (await world().call('GET', '/integration/api-keys', { token })).body;
  const made = keys.find((key: { name: string }) => key.name === 'lager');
  t.regex((await runItembridge(['keys', 'list', '--email', email], { env })).stdout, new RegExp(`${made.id}.*lager`));
  t.is((await runItembridge(['keys', 'revoke', made.id, '--email', email], { env })).code, 0);
  t.is((await world().call('GET', '/integration/v1/items', { apiKey })).status, 401);
  const { entries } = (await world().call('GET', '/partner/audit-log', { token })).body;
  const count = (kind: string): number => entries.filter((entry: { kind: string }) => entry.kind === kind).length;
  t.is(count('signed_out'), 3);

  const wrong = await runItembridge(['keys', 'list', '--email', email], { env: { ...env, ITEMBRIDGE_PASSWORD: 'no' } });
  t.is(wrong.code, 2);
  const unasked = await runItembridge(['keys', 'list', '--email', email], { env: { ITEMBRIDGE_URL: world().url } });
  t.is(unasked.code, 2);
  t.regex(unasked.stderr, /ITEMBRIDGE_PASSWORD/);
});

test('the system of npm start is found by its ready file, and its example key goes nowhere else', async (t) => {
  const account = await world().account();
  await world().call('PUT', '/integration/v1/items/A-1', { apiKey: account.apiKey, body: item });
  const home = temporaryFolder('home');
  const ready = { apiUrl: world().url, caFile: '.itembridge/ca.pem', accounts: [{ role: 'reseller', ...account }] };
  writeFileSync(join(home, 'ready.json'), JSON.stringify(ready));
  t.is((await runItembridge(['items', 'get', 'A-1'], { env: { ITEMBRIDGE_HOME: home } })).code, 0);
  t.is((await runItembridge(['keys', 'list'], { env: { ITEMBRIDGE_HOME: home } })).code, 0);
  const elsewhere = { ITEMBRIDGE_HOME: home, ITEMBRIDGE_URL: 'http://127.0.0.1:9' };
  const outcome = await runItembridge(['items', 'get', 'A-1'], { env: elsewhere });
  t.is(outcome.code, 2);
  t.regex(outcome.stderr, /No API key/);
});

test('webhooks listen makes an endpoint, takes what its secret has signed, sends it on, and removes the endpoint', async (t) => {
  const { email, password, token } = await world().account();
  const forwarded: string[] = [];
  const target = createServer((request, response) => {
    forwarded.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  t.teardown(() => target.close());
  const { port } = target.address() as { port: number };

  const env = { ITEMBRIDGE_URL: world().url, ITEMBRIDGE_PASSWORD: password, ITEMBRIDGE_EMAIL: email };
  const forward = ['--forward', `http://127.0.0.1:${port}/hook`];
  const args = ['webhooks', 'listen', '--port', '0', '--register', 'https://hooks.example.com/in', ...forward];
  const run = startItembridge(args, { env });
  await until('the endpoint is there', () => Promise.resolve(run.said().stderr.includes('Registered')));
  const endpoints = async () => (await world().call('GET', '/integration/webhooks', { token })).body.webhooks;
  t.like((await endpoints())[0], { url: 'https://hooks.example.com/in', scope: 'self' });
  const secretOfEndpoint = /^Secret: (whsec_\S+)$/m.exec(run.said().stderr)?.[1] ?? '';
  const hint = String((await endpoints())[0]?.secretHint);
  t.is(secretOfEndpoint.slice(-4), hint.slice(-4), 'a program behind --forward verifies with it');
  // What is not signed is refused.
  const listening = Number(/port (\d+)/.exec(run.said().stderr)?.[1]);
  t.is((await deliver(listening, 'whsec_bm90IHRoZSBzZWNyZXQ=')).status, 401);
  run.child.kill('SIGINT');
  const { code, stderr } = await run.done;
  t.is(code, 0, stderr);
  t.regex(stderr, /refused: X-Service-Signature/);
  t.deepEqual(await endpoints(), []);
  t.deepEqual(forwarded, []);

  const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdA==';
  const own = ['webhooks', 'listen', '--port', '0', '--limit', '1', ...forward];
  const second = startItembridge(own, { env: { ...env, ITEMBRIDGE_WEBHOOK_SECRET: secret } });
  await until('it listens', () => Promise.resolve(second.said().stderr.includes('Listening')));
  const secondPort = Number(/port (\d+)/.exec(second.said().stderr)?.[1]);
  // Those beyond the limit are told to come again, or find nobody any more.
  const answers = await Promise.all([1, 2, 3].map(() => deliver(secondPort, secret).catch(() => undefined)));
  t.is(answers.filter((answer) => answer?.status === 204).length, 1);
  const outcome = await second.done;
  t.is(outcome.code, 0);
  t.regex(outcome.stdout, /^\S+\s+item\.sold\s+A-1\s+evt_1\n$/);
  t.deepEqual(forwarded, ['evt_1']);
});

function deliver(port: number, secret: string): Promise<Response> {
  const event = { eventId: 'evt_1', eventType: 'item.sold', timestamp: '2026-03-01T00:00:00Z' };
  const body = Buffer.from(JSON.stringify({ ...event, data: { externalId: 'A-1', account: {} } }));
  const headers = webhookSignatureHeaders({ secret, id: event.eventId, sentAt: present(), body });
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
}
