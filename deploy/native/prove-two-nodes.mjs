// The product on one node of a cluster, the examples pushed, and the other node killed while items are on their way.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, run, start, until } from './processes.mjs';

const onTheirWay = 50;

export async function proveTwoNodes({ root, home, proved }, { client, killed }) {
  const folder = join(home, 'product');
  const env = { ...client, TEMPORAL_NAMESPACE: 'itembridge', ITEMBRIDGE_HOME: folder };
  const node = (args, more = {}) =>
    start(process.execPath, args, { env: { ...env, ...more }, log: join(home, 'product.log'), cwd: root });
  const product = node(['bin/start.mjs', '--fresh', '--no-examples', '--quiet', '--port', String(await freePort())]);
  await until(() => statSync(join(folder, 'ready.json')), { what: 'the product', child: product, patienceMs: 300_000 });
  const demo = node(['--import=tsx', 'examples/demo.ts', '--home', folder], {
    NODE_EXTRA_CA_CERTS: join(folder, 'ca-bundle.pem'),
  });
  const ended = new Promise((resolve) => demo.once('exit', resolve));

  const running = () =>
    Number(/\d+/.exec(run('temporal', ['workflow', 'count', '--query', "ExecutionStatus='Running'"], { env })));
  const open = await until(() => atLeast(running()), { what: `${onTheirWay} runs`, child: demo });
  killed.kill('SIGKILL');
  proved(`two nodes: one killed while ${open} runs were open`);
  if ((await ended) !== 0) throw new Error('the demo did not end as it must: product.log');
  await until(() => none(running()), { what: 'the last run' });
  const told = run(process.execPath, ['--import=tsx', 'bin/itembridge.ts', 'ops', 'stuck', '--home', folder], {
    env,
    cwd: root,
  });
  if (told !== 'Nothing is stuck.') throw new Error(told);
  const stopped = new Promise((resolve) => product.once('exit', resolve));
  product.kill('SIGINT');
  await stopped;
  proved('two nodes: the demo has the same end, no run is left, and nothing is stuck');
}

function atLeast(count) {
  if (count < onTheirWay) throw new Error(`${count} runs`);
  return count;
}

function none(count) {
  if (count > 0) throw new Error(`${count} runs`);
}
