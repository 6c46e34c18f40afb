import { inspect } from 'node:util';
import test from 'ava';
import { pino } from 'pino';
import { Secret } from '../../platform/security/secret.ts';

const secret = new Secret('open sesame');

test('a secret prints as *** however it is printed', (t) => {
  t.is(String(secret), '***');
  t.is(JSON.stringify({ secret }), '{"secret":"***"}');
  t.is(inspect({ deep: { secret } }, { depth: 5, showHidden: true }).includes('sesame'), false);
});

test('a secret in a log line is ***', (t) => {
  const lines: string[] = [];
  pino({}, { write: (line: string) => void lines.push(line) }).info({ holder: secret }, 'tried');
  t.true(lines.join('').includes('"holder":"***"'));
});

test('only reveal gives a secret out', (t) => {
  t.is(secret.reveal(), 'open sesame');
});
