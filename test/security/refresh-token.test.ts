import test from 'ava';
import { DecryptionFailed } from '../../platform/security/encryption.ts';
import {
  hashTokenPart,
  newRefreshToken,
  nextRefreshToken,
  openSuccessor,
  readRefreshToken,
  refreshTokenText,
  sealSuccessor,
} from '../../platform/security/refresh-token.ts';

// specification: refresh-token-opaque-stored
test('a token is two times 32 random bytes, and is read back from its text', (t) => {
  const token = newRefreshToken();
  for (const part of [token.handle, token.secret]) t.is(Buffer.from(part, 'base64url').length, 32);
  t.deepEqual(readRefreshToken(refreshTokenText(token)), token);
  t.not(newRefreshToken().handle, token.handle);
});

test('what is no token of ours is not looked up, other spellings of the same bytes neither', (t) => {
  const { handle, secret } = newRefreshToken();
  const last = secret.slice(-1);
  const alias = String.fromCharCode(last.charCodeAt(0) + 1);
  const odd = ['', '.', handle, `${handle}.`, `${handle}.${secret}.x`, `${handle}.${secret} `, `${handle}.${secret}\n`];
  for (const text of [...odd, `${handle}.${secret.slice(0, -1)}${alias}`, `${handle}.${secret}=`])
    t.is(readRefreshToken(text), undefined, text);
});

// specification: refresh-token-opaque-stored
test('a successor keeps the handle, and is read with the token it replaced and with nothing else', (t) => {
  const token = newRefreshToken();
  const successor = nextRefreshToken(token);
  t.is(successor.handle, token.handle);
  t.not(successor.secret, token.secret);
  const sealed = sealSuccessor(token, successor, 'session:1');
  t.false(sealed.includes(successor.secret));
  t.deepEqual(openSuccessor(token, sealed, 'session:1'), successor);
  t.throws(() => openSuccessor(successor, sealed, 'session:1'), { instanceOf: DecryptionFailed });
  t.throws(() => openSuccessor(token, sealed, 'session:2'), { instanceOf: DecryptionFailed });
  t.throws(() => openSuccessor({ ...token, secret: hashTokenPart(token.secret) }, sealed, 'session:1'), {
    instanceOf: DecryptionFailed,
  });
});
