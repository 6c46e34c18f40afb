import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { request, type Agent } from 'undici';
import { createGuardedAgent, type GuardedAgentOptions } from '../../platform/guarded-agent.ts';
import type { ResolveAll } from '../../platform/resolve-names.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { BlockedAddress } from '../../platform/public-address-guard.ts';
import { createAuthority } from '../gateways/support/certificates.ts';
import { localCertificate, startHttp, startHttps, type LocalServer } from '../gateways/support/local-server.ts';

const resolvesTo =
  (...addresses: string[]): ResolveAll =>
  (_hostname, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

async function anAgent(t: ExecutionContext, options: Partial<GuardedAgentOptions> = {}): Promise<Agent> {
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: false, authorities: authority.pem, ...options });
  t.teardown(() => agent.destroy());
  return agent;
}

async function aServer(t: ExecutionContext): Promise<LocalServer> {
  const server = await startHttps((_request, response) => response.end('hello'));
  t.teardown(() => server.close());
  return server;
}

test('no spelling of a loopback address gets through, and no connection is even tried', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(t);
  const hosts = ['127.0.0.1', '[::ffff:127.0.0.1]', '[::1]', '2130706433', '0x7f.1', '127.1', '0', 'localhost'];
  for (const host of hosts)
    await t.throwsAsync(
      request(`https://${host}:${server.port}/`, { dispatcher: agent }),
      { instanceOf: BlockedAddress },
      host,
    );
  t.is(server.connections().accepted, 0);
});

test('a name that resolves to a private address is blocked, also when it is one answer among public ones', async (t) => {
  const server = await aServer(t);
  for (const answers of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:127.0.0.1'], ['2606:4700::1', '::1']]) {
    const agent = await anAgent(t, { resolveAll: resolvesTo(...answers) });
    const error = await t.throwsAsync(request(`https://partner.example:${server.port}/`, { dispatcher: agent }), {
      instanceOf: BlockedAddress,
    });
    t.is(error?.message, 'address is not public');
  }
  t.is(server.connections().accepted, 0);
});

test('the address that was checked is the one connected to: the name is resolved once a connection', async (t) => {
  const server = await aServer(t);
  let lookups = 0;
  const agent = await anAgent(t, {
    allowPrivateNetworks: true,
    resolveAll: (hostname, done) => {
      lookups += 1;
      resolvesTo('127.0.0.1')(hostname, done);
    },
  });
  const answer = await request(`https://partner.example:${server.port}/`, { dispatcher: agent });
  t.is(await answer.body.text(), 'hello');
  t.is(lookups, 1);
});

test('the certificate must be for the name in the URL, not for the address', async (t) => {
  const { authority } = await localCertificate();
  const server = await startHttps((_request, response) => response.end(), await authority.issue(['other.example']));
  t.teardown(() => server.close());
  const agent = await anAgent(t, { allowPrivateNetworks: true, resolveAll: resolvesTo('127.0.0.1') });
  const error = await t.throwsAsync(request(`https://partner.example:${server.port}/`, { dispatcher: agent }));
  t.deepEqual(describeNetworkProblem(error), {
    kind: 'untrusted',
    message: 'TLS certificate not trusted: it is for another host name',
  });
});

test('plain HTTP is refused before anything is connected', async (t) => {
  const server = await startHttp((_request, response) => response.end());
  t.teardown(() => server.close());
  const agent = await anAgent(t, { allowPrivateNetworks: true });
  await t.throwsAsync(request(server.url, { dispatcher: agent }), {
    instanceOf: BlockedAddress,
    message: 'only HTTPS is allowed',
  });
  t.is(server.connections().accepted, 0);
});

test('redirects are handed back, not followed', async (t) => {
  const target = await aServer(t);
  const server = await startHttps((_request, response) => response.writeHead(302, { location: target.url }).end());
  t.teardown(() => server.close());
  const answer = await request(server.url, { dispatcher: await anAgent(t, { allowPrivateNetworks: true }) });
  await answer.body.dump();
  t.is(answer.statusCode, 302);
  t.is(target.connections().accepted, 0);
});

test('connections are kept alive and bounded in number', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(t, { allowPrivateNetworks: true, connectionsPerOriginMax: 2 });
  await Promise.all(
    Array.from({ length: 12 }, async () => (await request(server.url, { dispatcher: agent })).body.text()),
  );
  t.is(server.connections().accepted, 2);
});

test('a host that never answers the handshake costs no more than the connect time-out', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const agent = await anAgent(t, { allowPrivateNetworks: true, connectTimeoutMs: 300 });
  const error = await t.throwsAsync(request(`https://127.0.0.1:${port}/`, { dispatcher: agent }));
  t.deepEqual(describeNetworkProblem(error), { kind: 'unreachable', message: 'no connection in time' });
});

test('an authority of NODE_EXTRA_CA_CERTS is trusted, an unknown one is not', async (t) => {
  const authority = await createAuthority('outsider');
  const server = await startHttps((_request, response) => response.end('hello'), await authority.issue(['127.0.0.1']));
  t.teardown(() => server.close());
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'ca.pem'), authority.pem);
  const script = `
    import { request } from 'undici';
    import { createGuardedAgent } from ${JSON.stringify(new URL('../../platform/guarded-agent.ts', import.meta.url).href)};
    const dispatcher = createGuardedAgent({ allowPrivateNetworks: true });
    const said = await request('${server.url}', { dispatcher }).then((answer) => answer.body.text(), (error) => error.code);
    console.log(said);
    await dispatcher.destroy();`;
  const run = async (environment: Record<string, string>): Promise<string> => {
    const child = promisify(execFile)(process.execPath, ['--import=tsx', '--input-type=module', '-e', script], {
      env: { ...process.env, ...environment },
    });
    return (await child).stdout.trim();
  };
  t.is(await run({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }), 'hello');
  t.is(await run({}), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
});
