import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { pbkdf2 } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { LookupAddress } from 'node:dns';
import { createNameResolver, type NameOptions } from '../../platform/resolve-names.ts';

const hosts = ['127.0.0.1 localhost', '10.0.0.5 erp.intern ERP  # a comment', 'fe80::1 erp.intern', 'nonsense x'].join(
  '\n',
);

const resolve = (name: string, options: NameOptions): Promise<readonly LookupAddress[]> =>
  new Promise((found, failed) =>
    createNameResolver({ hosts, ...options })(name, (error, addresses) => (error ? failed(error) : found(addresses))),
  );

/** A name server that answers each question with `answer`, or never. */
async function aNameServer(t: ExecutionContext, answer: 'no such name' | 'nothing' | Buffer) {
  const socket = createSocket('udp4');
  const asked: number[] = [];
  socket.on('message', (question, { port, address }) => {
    asked.push(question.length);
    if (answer === 'nothing') return;
    const head = Buffer.from(question);
    // An answer; 3 says that there is no such name.
    head.writeUInt16BE(answer === 'no such name' ? 0x8183 : 0x8180, 2);
    const isV4 = question.readUInt16BE(question.length - 4) === 1;
    const record = Buffer.isBuffer(answer) && isV4 ? answer : Buffer.alloc(0);
    head.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
    socket.send(Buffer.concat([head, record]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

/** An address record of the name in the question. */
const anAddress = (...bytes: number[]): Buffer =>
  Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);

test('the names of the machine’s own table are found there, whatever their case, and no server is asked', async (t) => {
  const server = await aNameServer(t, 'nothing');
  t.deepEqual(await resolve('ERP.intern', server), [
    { address: '10.0.0.5', family: 4 },
    { address: 'fe80::1', family: 6 },
  ]);
  t.deepEqual(await resolve('erp', server), [{ address: '10.0.0.5', family: 4 }]);
  t.deepEqual(server.asked, []);
});

test('localhost and the names under it are this machine, also where the table has none', async (t) => {
  for (const name of ['localhost', 'shop.localhost', 'localhost.'])
    t.deepEqual(
      (await resolve(name, { hosts: '' })).map(({ address }) => address),
      ['127.0.0.1', '::1'],
    );
});

test('other names are asked for', async (t) => {
  const server = await aNameServer(t, anAddress(192, 0, 2, 7));
  t.deepEqual(await resolve('erp.example', server), [{ address: '192.0.2.7', family: 4 }]);
});

test('a name that there is not, and a server that does not answer, are told apart as the system does', async (t) => {
  const absent = await aNameServer(t, 'no such name');
  await t.throwsAsync(resolve('missing.example', absent), { code: 'ENOTFOUND' });
  const silent = await aNameServer(t, 'nothing');
  await t.throwsAsync(resolve('silent.example', silent), { code: 'EAI_AGAIN' });
});

test('eight names that never resolve take no thread from what hashes passwords', async (t) => {
  const silent = await aNameServer(t, 'nothing');
  let waiting = 8;
  const names = Array.from({ length: 8 }, (_, n) =>
    resolve(`never-${n}.example`, silent)
      .catch(() => undefined)
      .finally(() => (waiting -= 1)),
  );
  await Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('password', 'salt', 1_000, 32, 'sha256')));
  t.is(waiting, 8, 'all hashes were made while all names were waited for');
  await Promise.all(names);
});
