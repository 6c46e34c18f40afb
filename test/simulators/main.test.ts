import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { simulatorNames } from '../../simulators/parse-simulators-config.ts';
import { call } from './support/call.ts';
import { aCertificate, aFolder } from './support/certificate.ts';

function start(t: ExecutionContext, config: unknown) {
  const args = [...programArguments('bin/simulators.ts'), '--config', JSON.stringify(config)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit') as Promise<[number | null]>, stderr: text(child.stderr) };
}

test('starts all simulators, says where they are in one line, and ends cleanly at SIGTERM', async (t) => {
  const { tls, dispatcher } = await aCertificate(t);
  const { child, exit } = start(t, {
    tls,
    dataDir: aFolder(t),
    ports: { ai: 0 },
    application: { appId: '1', appKey: 'k' },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { ready } = JSON.parse(line) as { ready: Record<string, { url: string; adminUrl: string }> };
  t.deepEqual(Object.keys(ready).sort(), [...simulatorNames].sort());
  for (const [name, { url, adminUrl }] of Object.entries(ready)) {
    t.is(adminUrl, `${url}/admin`);
    t.is(url.startsWith('https:'), name === 'images' || name === 'webhookReceiver', name);
    t.deepEqual((await call('GET', `${adminUrl}/calls`, { dispatcher })).json(), { calls: [] });
  }
  child.kill('SIGTERM');
  t.deepEqual((await exit)[0], 0);
});

test('a configuration with secrets comes by stdin, so that no list of processes shows it', async (t) => {
  const args = [...programArguments('bin/simulators.ts'), '--config', '-'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const { tls } = await aCertificate(t);
  child.stdin.end(JSON.stringify({ tls, payments: { secretKey: 'sk_test_of_stdin' } }));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { ready } = JSON.parse(line) as { ready: Record<string, { url: string }> };
  const asked = (key: string) =>
    call('GET', `${ready['payments']?.url}/v1/subscriptions`, { headers: { authorization: `Bearer ${key}` } });
  t.is((await asked('sk_test_another')).status, 401);
  t.not((await asked('sk_test_of_stdin')).status, 401);
});

test('a fixed port that is taken is named, and nothing is left running', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { exit, stderr } = start(t, { marketplace: { port } });
  t.deepEqual((await exit)[0], 1);
  t.regex(await stderr, new RegExp(`the marketplace simulator can't start: port ${port} is taken`));
});

test('a misspelt setting is refused', async (t) => {
  const { exit, stderr } = start(t, { marketplace: { prot: 1 } });
  t.deepEqual((await exit)[0], 1);
  t.regex(await stderr, /unknown setting marketplace.prot/);
});
