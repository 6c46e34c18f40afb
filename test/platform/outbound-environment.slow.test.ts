import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { createAuthority } from '../gateways/support/certificates.ts';
import { localCertificate, startHttps } from '../gateways/support/local-server.ts';

const moduleUrl = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** What a process with this environment says about a call to `url`: the status, or the problem as a partner would read it. */
async function callFrom(environment: Record<string, string>, url: string): Promise<string> {
  const script = `
    import { createHttpsWebhookSender } from ${moduleUrl('../../gateways/webhook-sender/https-webhook-sender.ts')};
    import { createGuardedAgent } from ${moduleUrl('../../platform/guarded-agent.ts')};
    const agent = createGuardedAgent({ allowPrivateNetworks: true });
    const sender = createHttpsWebhookSender({ agent, timeoutMs: 20_000 });
    const outcome = await sender.send({ url: '${url}', body: Buffer.from('{}'), headers: {} });
    console.log(outcome.kind === 'succeeded' ? outcome.httpStatus : outcome.error);
    await agent.destroy();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import=tsx', '--input-type=module', '-e', script],
    { env: { ...process.env, ...environment } },
  );
  return stdout.trim();
}

async function anAuthorityFile(t: ExecutionContext, pem: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'ca.pem'), pem);
  return join(folder, 'ca.pem');
}

// specification: tls-is-checked-no
test('proxies named by the environment are not used', async (t) => {
  let proxied = 0;
  const proxy = createServer((socket) => {
    proxied += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { authority } = await localCertificate();
  const server = await startHttps((_request, response) => response.end('hello'));
  t.teardown(() => server.close());
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const environment = {
    ...Object.fromEntries(names.map((name) => [name, url])),
    NO_PROXY: '',
    no_proxy: '',
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: await anAuthorityFile(t, authority.pem),
  };
  t.is(await callFrom(environment, server.url), '200');
  t.is(proxied, 0);
});

// specification: tls-is-checked-no
test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the check of certificates off', async (t) => {
  const stranger = await createAuthority('stranger');
  const server = await startHttps((_request, response) => response.end(), await stranger.issue(['127.0.0.1']));
  t.teardown(() => server.close());
  t.regex(await callFrom({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, server.url), /^TLS certificate not trusted/);
});

async function aTlsServer(t: ExecutionContext, options: { maxVersion?: SecureVersion; minVersion?: SecureVersion }) {
  const { certificate } = await localCertificate();
  const seen: { servername: unknown; protocol: string | null }[] = [];
  const server = createTlsServer({ ...certificate, ciphers: 'DEFAULT@SECLEVEL=0', ...options }, (socket) => {
    const servername = 'servername' in socket ? socket.servername : undefined;
    seen.push({ servername, protocol: socket.getProtocol() });
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

test('TLS 1.1 is refused even where the environment would allow it, TLS 1.2 is taken', async (t) => {
  const { authority } = await localCertificate();
  const NODE_EXTRA_CA_CERTS = await anAuthorityFile(t, authority.pem);
  const environment = { NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0', NODE_EXTRA_CA_CERTS };
  const old = await aTlsServer(t, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
  t.is(
    await callFrom(environment, `https://127.0.0.1:${old.port}/`),
    'TLS connection failed: TLS 1.2 or later is needed',
  );
  const fine = await aTlsServer(t, { maxVersion: 'TLSv1.2' });
  t.is(await callFrom(environment, `https://127.0.0.1:${fine.port}/`), '200');
});

test('the server is told the name in the URL (SNI), and none where the URL has an address', async (t) => {
  const { authority } = await localCertificate();
  const server = await aTlsServer(t, {});
  const agent = createGuardedAgent({
    allowPrivateNetworks: true,
    authorities: authority.pem,
    resolveAll: (_hostname, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  t.teardown(() => agent.destroy());
  for (const host of ['partner.example', '127.0.0.1']) {
    const { body } = await request(`https://${host}:${server.port}/`, { dispatcher: agent });
    await body.dump();
  }
  t.deepEqual(server.seen, [
    { servername: 'partner.example', protocol: 'TLSv1.3' },
    { servername: false, protocol: 'TLSv1.3' },
  ]);
});
