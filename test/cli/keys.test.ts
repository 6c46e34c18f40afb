import { createServer, type RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { runItembridge } from './support/run-itembridge.ts';
import { present } from '../support/clock.ts';
import { listening } from '../support/listening.ts';

/** Answers as the service, and gives the settings of a tool that signs in to it. */
async function aService(t: ExecutionContext, answer: RequestListener): Promise<Record<string, string>> {
  return {
    ITEMBRIDGE_URL: await listening(t, createServer(answer)),
    ITEMBRIDGE_EMAIL: 'a@example.se',
    ITEMBRIDGE_PASSWORD: 'x',
  };
}

test('a key that was made is shown although the session could not be ended, and a failure before keeps its words', async (t) => {
  let status = 200;
  const env = await aService(t, (request, response) => {
    request.resume();
    const isEnd = request.url === '/auth/logout';
    const made = { accessToken: 't', id: 'k', name: 'lager', apiKey: 'sk_live_new' };
    const body = status === 200 ? made : { error: 'No more keys', code: 'CONFLICT' };
    const answer = request.url === '/auth/login' ? 200 : isEnd ? 500 : status;
    response
      .writeHead(answer, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer === 200 ? made : body));
  });
  const made = await runItembridge(['keys', 'create'], { env });
  t.is(made.code, 0, made.stderr);
  t.is(made.stdout, 'sk_live_new\n');
  t.regex(made.stderr, /session could not be ended/);

  status = 409;
  const refused = await runItembridge(['keys', 'create'], { env });
  t.is(refused.code, 2);
  t.regex(refused.stderr, /No more keys \(CONFLICT\)/);
});

test('a key is asked for with what bounds it, and what is no scope or time is refused before anything is sent', async (t) => {
  const asked: unknown[] = [];
  const env = await aService(t, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/integration/api-keys/generate') asked.push(JSON.parse(body));
      const made = { accessToken: 't', id: 'k', name: 'lager', apiKey: 'sk_live_new' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(made));
    });
  });
  const bounds = [
    '--scope',
    'items:write',
    'orders:read',
    '--address',
    '192.0.2.0/24',
    '2001:db8::1',
    '--mode',
    'test',
  ];
  const made = await runItembridge(['keys', 'create', '--expires', '2099-01-31', ...bounds], { env });
  t.is(made.code, 0, made.stderr);
  t.is((await runItembridge(['keys', 'create', '--expires', '90d'], { env })).code, 0);
  const [first, second] = asked as { expiresAt: string }[];
  t.deepEqual(first as unknown, {
    name: 'itembridge',
    mode: 'test',
    scopes: ['items:write', 'orders:read'],
    expiresAt: '2099-01-31T00:00:00.000Z',
    addresses: ['192.0.2.0/24', '2001:db8::1'],
  });
  const days = (Date.parse(second?.expiresAt ?? '') - present().getTime()) / 86_400_000;
  t.true(days > 89 && days <= 90);
  for (const [wrong, why] of [
    [['--scope', 'items'], /items:read, items:write/],
    [['--expires', 'soon'], /90d, 12h/],
  ] as const) {
    const refused = await runItembridge(['keys', 'create', ...wrong], { env });
    t.not(refused.code, 0);
    t.regex(refused.stderr, why);
  }
  t.is(asked.length, 2);
});
