import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { runItembridge } from './support/run-itembridge.ts';

test('a key that was made is shown although the session could not be ended, and a failure before keeps its words', async (t) => {
  let status = 200;
  const server = createServer((request, response) => {
    request.resume();
    const isEnd = request.url === '/auth/logout';
    const made = { accessToken: 't', id: 'k', name: 'lager', apiKey: 'sk_live_new' };
    const body = status === 200 ? made : { error: 'No more keys', code: 'CONFLICT' };
    const answer = request.url === '/auth/login' ? 200 : isEnd ? 500 : status;
    response
      .writeHead(answer, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer === 200 ? made : body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = {
    ITEMBRIDGE_URL: `http://127.0.0.1:${port}`,
    ITEMBRIDGE_EMAIL: 'a@example.se',
    ITEMBRIDGE_PASSWORD: 'x',
  };
  const made = await runItembridge(['keys', 'create'], { env });
  t.is(made.code, 0, made.stderr);
  t.is(made.stdout, 'sk_live_new\n');
  t.regex(made.stderr, /session could not be ended/);

  status = 409;
  const refused = await runItembridge(['keys', 'create'], { env });
  t.is(refused.code, 2);
  t.regex(refused.stderr, /No more keys \(CONFLICT\)/);
});
