import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { planFaults, processNames, resourceOf, type PlannedFault } from './faults/plan-faults.ts';
import { createRandom } from './random.ts';
import { openLink, type Link } from './world/proxy.ts';

/** A link to a server that says everything back. */
async function openEcho(t: ExecutionContext): Promise<Link> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const link = await openLink((server.address() as AddressInfo).port);
  t.teardown(async () => {
    await link.close();
    server.close();
  });
  return link;
}

function call(link: Link): Socket & { heard: () => string } {
  const socket = connect(link.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    heard += piece;
  });
  socket.on('error', () => undefined);
  return Object.assign(socket, { heard: () => heard });
}

/** However it came about: a reset is an error first. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });

async function untilHeard(socket: ReturnType<typeof call>, text: string): Promise<void> {
  while (socket.heard() !== text) await once(socket, 'data');
}

test('what is said arrives, whole and in order, also when the delay changes in between', async (t) => {
  const link = await openEcho(t);
  const socket = call(link);
  socket.write('one ');
  await untilHeard(socket, 'one ');
  link.set({ kind: 'delay', delayMs: 150 });
  const began = Date.now();
  socket.write('two ');
  await pause(20);
  link.set({ kind: 'pass' });
  socket.write('three');
  await untilHeard(socket, 'one two three');
  t.true(Date.now() - began >= 140);
  socket.end();
});

test('nothing passes a black hole, and what was sent into it never arrives', async (t) => {
  const link = await openEcho(t);
  const before = call(link);
  await once(before, 'connect');
  link.set({ kind: 'blackhole' });
  before.write('lost');
  const during = call(link);
  during.write('lost as well');
  await pause(100);
  t.is(before.heard() + during.heard(), '');
  link.set({ kind: 'pass' });
  await Promise.all([closed(before), closed(during)]);
  t.is(before.heard() + during.heard(), '');
  const after = call(link);
  after.write('heard');
  await untilHeard(after, 'heard');
  after.end();
});

test('a reset breaks off what is there and what comes', async (t) => {
  const link = await openEcho(t);
  const before = call(link);
  before.write('one');
  await untilHeard(before, 'one');
  link.set({ kind: 'reset' });
  await closed(before);
  await closed(call(link));
  t.pass();
});

test('a caller of a server that is down is told so', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const link = await openLink(port);
  t.teardown(() => link.close());
  await closed(call(link));
  t.pass();
});

test('a plan follows from its seed, and never breaks the same thing twice at once', (t) => {
  for (let seed = 0; seed < 50; seed += 1) {
    const plan = planFaults(createRandom(seed), 600_000);
    t.deepEqual(plan, planFaults(createRandom(seed), 600_000));
    t.deepEqual(overlaps(plan), []);
    t.true(plan.every(({ atMs, forMs }) => atMs + forMs <= 600_000));
  }
});

test('a plan of ten minutes breaks everything that can be broken', (t) => {
  const plan = planFaults(createRandom(1), 600_000);
  const kinds = new Set(plan.map(({ fault }) => fault.kind));
  t.deepEqual([...kinds].toSorted(), ['kill', 'marketplace', 'network', 'pause', 'rollback']);
  const killed = plan.flatMap(({ fault }) => (fault.kind === 'kill' ? [fault.target] : []));
  t.is(new Set(killed).size, processNames.length);
});

function overlaps(plan: readonly PlannedFault[]): string[] {
  return plan.flatMap((one, index) =>
    plan
      .slice(index + 1)
      .filter((two) => resourceOf(one.fault) === resourceOf(two.fault) && two.atMs < one.atMs + one.forMs)
      .map((two) => `${resourceOf(two.fault)} at ${two.atMs}`),
  );
}
