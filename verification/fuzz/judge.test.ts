import test from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { judge } from './support/judge.ts';
import type { RawAnswer } from './support/raw-call.ts';

const secrets = ['canary-4711'];
const expected = { method: 'GET', path: '/categories' };

function anAnswer(status: number | undefined, body: unknown, more: Partial<RawAnswer> = {}): RawAnswer {
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a' });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, text, answers: 1, isTimeout: false, durationMs: 1, ...more };
}

const refusal = (error: string) => ({ error, code: 'BAD_REQUEST', statusCode: 400 });

test('a refusal in the error form is right', (t) => {
  t.deepEqual(judge(anAnswer(400, refusal('no')), expected, secrets), []);
});

test('a refusal that names the id or field of its caller tells nothing of the inside', (t) => {
  const notFound = { error: 'No item with external_id "file:///etc/passwd"', code: 'NOT_FOUND', statusCode: 404 };
  t.deepEqual(judge(anAnswer(404, notFound), expected, secrets), []);
  const details = [problem('$where', 'unknown_field', {})];
  t.deepEqual(judge(anAnswer(400, { ...refusal('no'), details }), expected, secrets), []);
  const bare = [problem('body', 'text_for_object', { type: 'object', example: '{"url":"file:///etc/passwd"}' })];
  t.deepEqual(judge(anAnswer(400, { ...refusal('no'), details: bare }), expected, secrets), []);
});

for (const [what, answer] of [
  ['500', anAnswer(500, { error: 'oops', code: 'INTERNAL', statusCode: 500 })],
  ['503', anAnswer(503, { error: 'oops', code: 'UNAVAILABLE', statusCode: 503 })],
  ['a refusal that is no JSON', anAnswer(400, 'Bad Request')],
  ['a refusal with a field that nobody promised', anAnswer(400, { ...refusal('no'), stack: '…' })],
  ['a refusal whose status is another', anAnswer(404, refusal('no'))],
  ['details that are no list', anAnswer(400, { ...refusal('no'), details: 'price' })],
  [
    'a refusal without X-Request-Id',
    anAnswer(400, refusal('no'), { headers: new Headers({ 'content-type': 'application/json' }) }),
  ],
  ['a stack', anAnswer(400, refusal('x\n    at parse (file.js:10:3)'))],
  ['the name of an error of the inside', anAnswer(400, refusal('CastError: no'))],
  ['a file behind the id of its caller', anAnswer(400, refusal('No item with external_id "a": file:///srv/api.js'))],
  ['a path of the program', anAnswer(400, refusal(`no such file ${process.cwd()}/package.json`))],
  ['a secret', anAnswer(400, refusal('canary-4711'))],
  [
    'a secret in a header',
    anAnswer(400, refusal('no'), {
      headers: new Headers({ 'content-type': 'application/json', 'x-request-id': 'canary-4711' }),
    }),
  ],
  ['two answers to one request', anAnswer(400, refusal('no'), { answers: 2 })],
  ['no answer', anAnswer(undefined, '')],
  ['no end', anAnswer(undefined, '', { isTimeout: true })],
  ['a success that the interface document does not know', anAnswer(299, {})],
] as const) {
  test(`${what} is a finding`, (t) => {
    t.true(judge(answer, expected, secrets).length > 0);
  });
}

test('what had to be refused and was not is a finding', (t) => {
  const answer = anAnswer(400, refusal('no'));
  t.deepEqual(judge(answer, { ...expected, statuses: [400, 422] }, secrets), []);
  t.is(judge(answer, { ...expected, statuses: [413] }, secrets).length, 1);
});

test('a connection that is closed without a word is right only where there was no proper request', (t) => {
  t.deepEqual(judge(anAnswer(undefined, ''), { ...expected, mayClose: true }, secrets), []);
});
