import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, sessionId } from '../../features/rules/ids.ts';
import { createPageTokens, formLifetimeSeconds, isVisitor, newVisitor } from '../../platform/security/page-tokens.ts';
import { createSessionTokens } from '../../platform/security/signed-token.ts';

const keys = [{ id: 'now', secret: 'a-signing-key-of-the-tests-that-is-long-enough' }];
const older = [{ id: 'before', secret: 'another-signing-key-that-was-used-before-it' }];
const tokens = createPageTokens(keys);
const now = new Date('2026-11-22T08:00:00Z');
const session = { accountId: accountId(randomUUID()), sessionId: sessionId(randomUUID()) };
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);

test('a page token names its session, also after a change of keys, and for 30 days', (t) => {
  const token = createPageTokens(older).signSession(session, now);
  const changed = createPageTokens([...keys, ...older]);
  t.deepEqual(changed.verifySession(token, later(30 * 86_400 - 1)), session);
  t.is(changed.verifySession(token, later(30 * 86_400)), undefined);
  t.is(tokens.verifySession(token, now), undefined);
});

test('no kind of token is taken for another', (t) => {
  const access = createSessionTokens(keys);
  const [page, form] = [tokens.signSession(session, now), tokens.signForm('session:x', now)];
  t.is(access.verify(page, now), undefined);
  t.is(access.verify(form, now), undefined);
  t.is(tokens.verifySession(access.sign(session, now), now), undefined);
  t.is(tokens.verifySession(form, now), undefined);
  t.false(tokens.isFormOf(page, 'session:x', now));
});

test('a form belongs to its holder, for a day, and does not say who that is', (t) => {
  const token = tokens.signForm('visitor:xyz', now);
  t.true(tokens.isFormOf(token, 'visitor:xyz', later(formLifetimeSeconds - 1)));
  t.false(tokens.isFormOf(token, 'visitor:xyz', later(formLifetimeSeconds)));
  t.false(tokens.isFormOf(token, 'visitor:xyy', now));
  t.false(tokens.isFormOf('', 'visitor:xyz', now));
  t.false(
    Buffer.from(token.split('.')[1] ?? '', 'base64url')
      .toString()
      .includes('xyz'),
  );
});

test('a visitor is known by 128 random bits', (t) => {
  const made = Array.from({ length: 50 }, newVisitor);
  t.is(new Set(made).size, 50);
  t.true(made.every(isVisitor));
  for (const text of ['', 'x', `${newVisitor()}x`, 'a b', '"'.repeat(22)]) t.false(isVisitor(text));
});
