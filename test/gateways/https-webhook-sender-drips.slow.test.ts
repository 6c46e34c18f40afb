import test from 'ava';
import { drip } from './support/local-server.ts';
import { failureOf, senderTo } from './support/sender-to.ts';

test.serial('a 2xx whose body drips is a failure that costs no more than the whole time', async (t) => {
  const { send, server } = await senderTo(t, (_request, response) => drip(response, 'x', 20), 2_000);
  const outcome = await send();
  t.like(outcome, { kind: 'failed', httpStatus: 200 });
  t.is(failureOf(outcome), 'HTTP 200, but the answer was never complete: did not answer within 2 seconds');
  t.true(outcome.durationMs < 6_000);
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test.serial('headers that drip cost no more than the whole time', async (t) => {
  const { send } = await senderTo(
    t,
    (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const timer = setInterval(() => request.socket.write('x'), 20);
      request.socket.on('close', () => clearInterval(timer));
    },
    2_000,
  );
  const outcome = await send();
  t.is(failureOf(outcome), 'did not answer within 2 seconds');
  t.true(outcome.durationMs < 6_000);
});
