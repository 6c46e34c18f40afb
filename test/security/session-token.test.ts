import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import jwt from 'jsonwebtoken';
import { accountId, sessionId } from '../../features/rules/ids.ts';
import { createDeviceTokens, createSessionTokens, type SigningKey } from '../../platform/security/signed-token.ts';

const now = new Date('2026-11-21T12:00:00Z');
const iat = now.getTime() / 1000;
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const key: SigningKey = { id: 'k2', secret: 'a'.repeat(40) };
const oldKey: SigningKey = { id: 'k1', secret: 'b'.repeat(40) };
const session = {
  accountId: accountId('6f1c9c1e-3c0b-4f54-8a57-2f1f7d0a9d11'),
  sessionId: sessionId('0b9e3d1c-5d8a-4d0e-9a57-1d2f3a4b5c6d'),
};
const tokens = createSessionTokens([key, oldKey]);

/** Header and claims of a right token, as changed. */
const claims = (changes: object = {}): object => ({
  sub: session.accountId,
  sid: session.sessionId,
  jti: 'j',
  iss: 'itembridge',
  aud: 'itembridge-dashboard',
  iat,
  exp: iat + 900,
  ...changes,
});
const header = { alg: 'HS256', typ: 'JWT', kid: 'k2' };
const encode = (part: object | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** Signed by hand, because no library would make most of these. */
function forged(payload: object | string, head: object | string = header, secret = key.secret): string {
  const text = `${encode(head)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

// specification: access-jwt-hs256-15
test('a signed token verifies to its account and session until 15 minutes have passed', (t) => {
  const token = tokens.sign(session, now);
  t.like(tokens.verify(token, now), session);
  t.like(tokens.verify(token, later(899)), session);
  t.is(tokens.verify(token, later(900)), undefined);
});

// specification: access-jwt-hs256-15
test('a token carries sub, sid, iss, aud, iat, exp and its own jti, and names its key', (t) => {
  const decoded = jwt.decode(tokens.sign(session, now), { complete: true });
  t.like(decoded, {
    header: { alg: 'HS256', kid: 'k2' },
    payload: { sub: session.accountId, sid: session.sessionId, iss: 'itembridge', aud: 'itembridge-dashboard', iat },
  });
  t.is((decoded?.payload as jwt.JwtPayload | undefined)?.exp, iat + 900);
  t.not(tokens.verify(tokens.sign(session, now), now)?.tokenId, tokens.verify(tokens.sign(session, now), now)?.tokenId);
});

test('a token signed before a key rotation stays valid while its key is in the list', (t) => {
  const token = createSessionTokens([oldKey]).sign(session, now);
  t.like(tokens.verify(token, now), session);
  t.is(createSessionTokens([key]).verify(token, now), undefined);
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }));
const rsaText = `${encode({ ...header, alg: 'RS256' })}.${encode(claims())}`;
const uuidLike = '6f1c9c1e-3c0b-4f54-8a57-2f1f7d0a9d1';

const bad: Record<string, string> = {
  'alg none': `${encode({ ...header, alg: 'none' })}.${encode(claims())}.`,
  'alg none with a signature': forged(claims(), { ...header, alg: 'none' }),
  'alg None': `${encode({ ...header, alg: 'None' })}.${encode(claims())}.`,
  'no alg': forged(claims(), { typ: 'JWT', kid: 'k2' }),
  HS512: jwt.sign(claims(), key.secret, { algorithm: 'HS512', keyid: 'k2' }),
  'HS512 said, HS256 made': forged(claims(), { ...header, alg: 'HS512' }),
  RS256: `${rsaText}.${createSign('sha256').update(rsaText).sign(privateKey, 'base64url')}`,
  'HS256 by a public key': forged(claims(), header, publicPem),
  'another secret': forged(claims(), header, 'c'.repeat(40)),
  'no kid': forged(claims(), { alg: 'HS256', typ: 'JWT' }),
  'an unknown kid': forged(claims(), { ...header, kid: 'k9' }),
  'the kid of another of our keys': forged(claims(), { ...header, kid: 'k1' }),
  'a kid that is a number': forged(claims(), { ...header, kid: 2 }),
  'a kid that is a list': forged(claims(), { ...header, kid: ['k2'] }),
  'a kid like a path': forged(claims(), { ...header, kid: '../k2' }),
  'a kid of every object': forged(claims(), { ...header, kid: '__proto__' }),
  'two kids, the last unknown': forged(claims(), '{"alg":"HS256","kid":"k2","kid":"k9"}'),
  'two algs, the last none': forged(claims(), '{"alg":"HS256","kid":"k2","alg":"none"}'),
  'another issuer': forged(claims({ iss: 'other' })),
  'no issuer': forged(claims({ iss: undefined })),
  'another audience': forged(claims({ aud: 'other' })),
  'no audience': forged(claims({ aud: undefined })),
  'several audiences': forged(claims({ aud: ['itembridge-dashboard', 'other'] })),
  'a device token': createDeviceTokens([key]).sign(session.accountId, now),
  'no expiry': forged(claims({ exp: undefined })),
  'an expiry that is text': forged(claims({ exp: String(iat + 900) })),
  'an expiry that is null': forged(claims({ exp: null })),
  'an expiry beyond all numbers': forged(JSON.stringify(claims()).replace(String(iat + 900), '1e999')),
  'a longer life than ours': forged(claims({ exp: iat + 901 })),
  'an expired one': forged(claims({ iat: iat - 901, exp: iat - 1 })),
  'from the future': forged(claims({ iat: iat + 61, exp: iat + 961 })),
  'not valid before later': forged(claims({ nbf: iat + 100 })),
  'no time of issue': forged(claims({ iat: undefined })),
  'a time of issue that is text': forged(claims({ iat: String(iat) })),
  'no subject': forged(claims({ sub: undefined })),
  'a subject that is no UUID': forged(claims({ sub: uuidLike })),
  'a subject with more behind it': forged(claims({ sub: `${session.accountId}\n` })),
  'a subject that is a query': forged(claims({ sub: { $ne: null } })),
  'no session': forged(claims({ sid: undefined })),
  'a session that is a query': forged(claims({ sid: { $ne: null } })),
  'a session that is no UUID': forged(claims({ sid: 'x' })),
  'no id': forged(claims({ jti: undefined })),
  'claims that are text': forged('"claims"'),
  'claims that are a list': forged('[]'),
  'claims that are null': forged('null'),
  'no JSON inside': 'a.b.c',
  'no token': 'abc',
  'five parts': 'a.b.c.d.e',
  empty: '',
  'an API key': `sk_live_${'a'.repeat(43)}`,
};

test('the hand-made token that the refused ones are changed from is a right one', (t) => {
  t.like(tokens.verify(forged(claims()), now), session);
});

for (const [name, token] of Object.entries(bad)) {
  // specification: access-jwt-hs256-15
  test(`a token is refused: ${name}`, (t) => {
    t.is(tokens.verify(token, now), undefined);
  });
}

test('a token that another machine has just made is taken when its clock is a minute ahead', (t) => {
  t.like(tokens.verify(tokens.sign(session, later(60)), now), session);
  t.is(tokens.verify(tokens.sign(session, later(61)), now), undefined);
});

test('a weak signing key is refused at start without showing it', (t) => {
  const error = t.throws(() => createSessionTokens([{ id: 'k', secret: 'short' }]));
  t.false(error.message.includes('short'));
});

// specification: several-signing-keys-the
test('two signing keys of one id are refused at start, and so is none', (t) => {
  t.throws(() => createSessionTokens([key, { ...oldKey, id: 'k2' }]), { message: /two session keys have the id k2/ });
  t.throws(() => createSessionTokens([]), { message: /at least one/ });
});

test('a device token is good for the email it was made for, and opens nothing', (t) => {
  const devices = createDeviceTokens([key]);
  const token = devices.sign('fingerprint', now);
  const device = devices.verify(token, 'fingerprint', now)?.device;
  t.truthy(device);
  t.is(devices.verify(token, 'fingerprint', later(86_400))?.device, device);
  t.is(devices.verify(token, 'another', now), undefined);
  t.is(devices.verify(token, 'fingerprint', later(180 * 86_400)), undefined);
  t.is(devices.verify(tokens.sign(session, now), session.accountId, now), undefined);
});
