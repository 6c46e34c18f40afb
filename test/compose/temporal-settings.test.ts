import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadTemporalConfig } from '../../compose/config.ts';
import { ConfigError } from '../../compose/read-settings.ts';
import { createAuthority } from '../gateways/support/certificates.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('temporal-settings');
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const authority = await createAuthority();
const [own, other] = await Promise.all([authority.issue(['us']), authority.issue(['us'])]);
const files = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileOf('ca', authority.pem),
  TEMPORAL_TLS_CLIENT_CERT_PATH: fileOf('cert', own.cert),
  TEMPORAL_TLS_CLIENT_KEY_PATH: fileOf('key', own.key),
};
const load = (environment: Record<string, string>) => loadTemporalConfig({}, environment).connection;
const elsewhere = { TEMPORAL_ADDRESS: 'temporal.example:7233' };

test('without settings, and with empty ones, Temporal is on this machine and without TLS', (t) => {
  const empty = Object.fromEntries(['TLS', 'API_KEY', 'TLS_CLIENT_CERT_PATH'].map((name) => [`TEMPORAL_${name}`, '']));
  for (const environment of [{}, empty]) t.deepEqual(load(environment), { address: '127.0.0.1:7233' });
});

test('certificate, key, authority and name of the server come from the settings that Temporal’s own tools read', (t) => {
  const { tls } = load({ ...files, TEMPORAL_TLS_SERVER_NAME: 'other.example' });
  t.is(tls?.serverNameOverride, 'other.example');
  t.is(String(Buffer.from(tls?.clientCertPair?.key ?? [])), own.key);
  t.is(String(Buffer.from(tls?.serverRootCACertificate ?? [])), authority.pem);
});

test('an API key is a file, means TLS, and without a named authority trusts the same as Node', (t) => {
  const { apiKey, tls } = load({ ...elsewhere, TEMPORAL_API_KEY_FILE: fileOf('api-key', 'a-key\n') });
  t.is(apiKey, 'a-key');
  t.regex(String(Buffer.from(tls?.serverRootCACertificate ?? [])), /^-----BEGIN CERTIFICATE-----/);
});

for (const [what, wrong, message] of [
  ['a certificate without its key', { ...files, TEMPORAL_TLS_CLIENT_KEY_PATH: '' }, /KEY_PATH are given both/],
  [
    'the key of another certificate',
    { ...files, TEMPORAL_TLS_CLIENT_KEY_PATH: fileOf('other', other.key) },
    /mismatch/,
  ],
  ['a file that is not there', { ...files, TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere' }, /CERT_PATH.*ENOENT.*nowhere/],
  [
    'a file that is no certificate',
    { ...files, TEMPORAL_TLS_CLIENT_CERT_PATH: fileOf('no', own.key) },
    /no start line/,
  ],
  [
    'TLS to an address without a name',
    { ...files, TEMPORAL_ADDRESS: '[::1]:7233' },
    /TEMPORAL_TLS_SERVER_NAME must be/,
  ],
  ['yes for TEMPORAL_TLS', { TEMPORAL_TLS: 'yes' }, /TEMPORAL_TLS must be true or false/],
  ['an API key without TLS', { TEMPORAL_API_KEY: 'a-key', TEMPORAL_TLS: 'false' }, /TEMPORAL_API_KEY needs TLS/],
] as const)
  test(`${what} is refused at start, and the message holds no secret`, (t) => {
    const { message: told } =
      t.throws(() => load({ ...elsewhere, ...wrong }), { instanceOf: ConfigError, message }) ?? {};
    t.notRegex(told ?? '', /PRIVATE KEY|a-key/);
  });
