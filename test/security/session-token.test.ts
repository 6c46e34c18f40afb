import test from 'ava';
import jwt from 'jsonwebtoken';
import { accountId } from '../../core/ids.ts';
import { createSessionTokens, type SigningKey } from '../../security/session-token.ts';

const now = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const key: SigningKey = { id: 'k2', secret: 'a'.repeat(40) };
const oldKey: SigningKey = { id: 'k1', secret: 'b'.repeat(40) };
const account = accountId('6f1c9c1e-3c0b-4f54-8a57-2f1f7d0a9d11');
const tokens = createSessionTokens([key, oldKey]);

/** A token that is right in everything but what is given. */
function forged(claims: object = {}, options: jwt.SignOptions & { secret?: string } = {}): string {
  const { secret = key.secret, ...rest } = options;
  const iat = now.getTime() / 1000;
  const whole = {
    sub: account,
    jti: 'j',
    iss: 'itembridge',
    aud: 'itembridge-dashboard',
    iat,
    exp: iat + 900,
    ...claims,
  };
  return jwt.sign(JSON.parse(JSON.stringify(whole)) as object, secret, { keyid: 'k2', algorithm: 'HS256', ...rest });
}

test('a signed token verifies to its account until 15 minutes have passed', (t) => {
  const token = tokens.sign(account, now);
  t.is(tokens.verify(token, now)?.accountId, account);
  t.is(tokens.verify(token, later(899))?.accountId, account);
  t.is(tokens.verify(token, later(900)), undefined);
});

test('a token carries sub, iss, aud, iat, exp and its own jti, and names its key', (t) => {
  const decoded = jwt.decode(tokens.sign(account, now), { complete: true });
  const iat = now.getTime() / 1000;
  t.like(decoded, {
    header: { alg: 'HS256', kid: 'k2' },
    payload: { sub: account, iss: 'itembridge', aud: 'itembridge-dashboard', iat, exp: iat + 900 },
  });
  t.not(tokens.verify(tokens.sign(account, now), now)?.tokenId, tokens.verify(tokens.sign(account, now), now)?.tokenId);
});

test('a token signed before a key rotation stays valid while its key is in the list', (t) => {
  const token = createSessionTokens([oldKey]).sign(account, now);
  t.is(tokens.verify(token, now)?.accountId, account);
  t.is(createSessionTokens([key]).verify(token, now), undefined);
});

test('a token with another algorithm, issuer, audience, key or no expiry is refused', (t) => {
  t.truthy(tokens.verify(forged(), now), 'the unforged one');
  const unsigned = `${Buffer.from('{"alg":"none","kid":"k2"}').toString('base64url')}.${forged().split('.')[1]}.`;
  const bad = {
    'alg none': unsigned,
    HS512: forged({}, { algorithm: 'HS512' }),
    issuer: forged({ iss: 'other' }),
    audience: forged({ aud: 'other' }),
    secret: forged({}, { secret: 'c'.repeat(40) }),
    'unknown key': forged({}, { keyid: 'k9' }),
    'key of another id': forged({}, { keyid: 'k1' }),
    'no expiry': forged({ exp: undefined }),
    'no subject': forged({ sub: undefined }),
    'not a token': 'abc',
    'not JSON inside': 'a.b.c',
    empty: '',
    'an API key': `sk_live_${'a'.repeat(43)}`,
  };
  for (const [name, token] of Object.entries(bad)) t.is(tokens.verify(token, now), undefined, name);
});

test('a weak signing key is refused at start without showing it', (t) => {
  const error = t.throws(() => createSessionTokens([{ id: 'k', secret: 'short' }]));
  t.false(error.message.includes('short'));
});
