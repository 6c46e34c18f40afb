import test from 'ava';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { BlockedAddress } from '../../platform/public-address-guard.ts';

const withCode = (code: string, extra: object = {}): Error =>
  Object.assign(new Error(`${code} 10.0.0.7:5432`), { code, ...extra });

test('a partner reads what happened and never an address or a message of the system', (t) => {
  const cases: [Error, string, string][] = [
    [withCode('ECONNREFUSED'), 'unreachable', 'connection refused'],
    [withCode('ENOTFOUND'), 'unreachable', 'host name not found'],
    [withCode('ETIMEDOUT', { syscall: 'connect' }), 'unreachable', 'no connection in time'],
    [withCode('ETIMEDOUT', { syscall: 'read' }), 'broken', 'no answer in time'],
    [withCode('ECONNRESET'), 'broken', 'connection was closed before the answer was complete'],
    [withCode('CERT_HAS_EXPIRED'), 'untrusted', 'TLS certificate not trusted: it has expired'],
    [
      Object.assign(new Error('Expected HTTP/ at SSH-2.0'), { name: 'HTTPParserError' }),
      'broken',
      'answer is not valid HTTP',
    ],
    [withCode('ESOMETHING'), 'broken', 'connection failed'],
    [new BlockedAddress('address is not public', 'internal', '10.0.0.7'), 'blocked', 'address is not public'],
    [new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') }), 'unreachable', 'connection refused'],
    [
      Object.assign(new AggregateError([withCode('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
      'unreachable',
      'connection refused',
    ],
    [
      new AggregateError([withCode('X'), new BlockedAddress('address is not public', 'h')]),
      'blocked',
      'address is not public',
    ],
  ];
  for (const [error, kind, message] of cases)
    t.deepEqual(describeNetworkProblem(error), { kind, message } as never, error.message);
});

test('what is no error at all is described as well', (t) => {
  for (const thrown of [undefined, null, 'text', 7, {}])
    t.is(describeNetworkProblem(thrown).message, 'connection failed');
});
