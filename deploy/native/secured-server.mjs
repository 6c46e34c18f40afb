// Certificates, keys and configuration of Temporal servers that ask for them.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const serverName = 'temporal.example';

/** Files below `home`, and the settings of the product that name them. */
export async function makeCertificates({ home }) {
  const { createAuthority } = await import('../../test/gateways/support/certificates.ts');
  const file = (name, text) => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const pair = (name, { cert, key }) => ({
    TEMPORAL_TLS_CLIENT_CERT_PATH: file(`${name}.pem`, cert),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file(`${name}.key`, key),
  });
  const [servers, clients, others] = await Promise.all(
    ['servers', 'clients', 'others'].map((name) => createAuthority(name)),
  );
  const server = {
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('servers.pem', servers.pem),
    TEMPORAL_TLS_SERVER_NAME: serverName,
  };
  const issue = async (authority, validity) => authority.issue(['itembridge'], validity);
  pair('server', await servers.issue([serverName]));
  file('clients.pem', clients.pem);
  pair('system-worker', await issue(clients));
  const right = { ...server, ...pair('own', await issue(clients)) };
  return {
    server,
    right,
    strangers: { ...server, ...pair('strangers', await issue(others)) },
    expired: { ...server, ...pair('expired', await issue(clients, { notAfter: new Date(Date.now() - 60_000) })) },
    /** The settings stay, and what their files hold is of another authority. Returns the former pair. */
    rotate: async () => {
      const former = { ...server, ...pair('former', pairIn(right)) };
      file('clients.pem', others.pem);
      pair('system-worker', await issue(others));
      pair('own', await issue(others));
      return former;
    },
  };
}

const pairIn = ({ TEMPORAL_TLS_CLIENT_CERT_PATH: cert, TEMPORAL_TLS_CLIENT_KEY_PATH: key }) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});

/** deploy/temporal/server-config.yaml with what the server asks of its callers. Read again each second. */
export function configAsking({ root, home }, { certificate, keys }) {
  const path = (name) => join(home, name);
  const frontend = {
    server: {
      certFile: path('server.pem'),
      keyFile: path('server.key'),
      requireClientAuth: certificate,
      ...(certificate && { clientCaFiles: [path('clients.pem')] }),
    },
  };
  const client = { serverName, rootCaFiles: [path('servers.pem')] };
  const systemWorker = { certFile: path('system-worker.pem'), keyFile: path('system-worker.key'), client };
  const authorization = {
    jwtKeyProvider: { keySourceURIs: [`file://${keys}`] },
    authorizer: 'default',
    claimMapper: 'default',
  };
  const global = { tls: { refreshInterval: '1s', frontend, systemWorker }, ...(keys && { authorization }) };
  const lines = Object.entries(global).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
  const shipped = readFileSync(join(root, 'deploy/temporal/server-config.yaml'), 'utf8');
  const file = path(`asking-${certificate ? 'certificate' : 'key'}.yaml`);
  writeFileSync(file, shipped.replace(/^global:$/m, ['global:', ...lines].join('\n')));
  return file;
}

/** Two partitions' worth of settings: queues named `four` have four. */
export function dynamicConfigOf({ root, home }) {
  const shipped = readFileSync(join(root, 'deploy/temporal/dynamic-config.yaml'), 'utf8');
  const file = join(home, 'dynamic-config.yaml');
  const four = '  - value: 4\n    constraints: { taskQueueName: four }';
  writeFileSync(file, shipped.replace(/(Partitions:\n {2}- value: 1)/g, `$1\n${four}`));
  return file;
}

/** A key that the server knows, as a file, and two tokens: signed with it, and with another. */
export function makeApiKey({ home }) {
  const keys = join(home, 'jwks.json');
  const [known, unknown] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const jwk = { ...known.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
  writeFileSync(keys, JSON.stringify({ keys: [jwk] }));
  const [right, wrong] = [known, unknown].map(({ privateKey }, index) => {
    const file = join(home, `api-key-${index}`);
    writeFileSync(file, tokenOf(privateKey));
    return { TEMPORAL_API_KEY_FILE: file };
  });
  return { keys, right, wrong };
}

function tokenOf(privateKey) {
  const claims = { sub: 'itembridge', permissions: ['temporal-system:admin'] };
  const signed = [{ alg: 'RS256', kid: 'k1' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...signed, sign('sha256', signed.join('.'), privateKey).toString('base64url')].join('.');
}
