import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { acceptBulkSync } from '../../../usecases/bulk-syncs/accept-bulk-sync.ts';
import { isError, withApiWorld, type ApiWorld, type TestAccount } from '../../support/api-world.ts';
import { until } from '../../support/until.ts';
import { aLine, bulkPath, leftBehind, linesOf, ndjson, upload } from '../../bulk-syncs/support/bulk-calls.ts';

const silenceMs = 700;
const smallLimits = { linesMax: 50, lineBytesMax: 2_000 };

const world = withApiWorld(test, {
  replace: ({ bulkSyncs }) => ({
    streamTimes: { silenceMs, totalMs: 60_000 },
    bulkSyncs: {
      ...bulkSyncs,
      accept: (scope, wish) =>
        acceptBulkSync(
          {
            store: world().store,
            hints: { startBulkSync: () => undefined },
            logger: world().dependencies.logger,
            confirmCredential: world().dependencies.authentication.confirm,
            now: () => new Date(),
            newId: () => crypto.randomUUID(),
            limits: wide.has(scope.actingAccountId) ? { linesMax: 1_000, lineBytesMax: 2_000 } : smallLimits,
          },
          scope,
          wish,
        ),
    },
  }),
});
const wide = new Set<string>();

const bulkSyncsOf = async ({ token }: TestAccount, api: ApiWorld = world()): Promise<unknown[]> =>
  (await api.call('GET', '/partner/bulk-syncs', { token })).body.bulkSyncs;

/** An upload by hand: what is written is sent at once, and nothing more comes by itself. */
async function slowUpload({ apiKey }: TestAccount, { length = 1_000_000, headers = '' } = {}) {
  const { hostname, port } = new URL(world().url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (data: Buffer) => {
    answer += data.toString();
  });
  socket.write(
    `POST ${bulkPath} HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nContent-Type: ${ndjson}\r\nContent-Length: ${length}\r\n${headers}\r\n`,
  );
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  return { socket, answer: () => answer, closed };
}

test.serial('an upload that breaks off in the middle has no effect, and nothing of it stays', async (t) => {
  const account = await world().account();
  wide.add(account.id);
  const sending = await slowUpload(account);
  sending.socket.write(linesOf(Array.from({ length: 450 }, (_, n) => aLine(`A${n}`))));
  await until('chunks are stored', async () => (await leftBehind(world())) >= 2);
  sending.socket.destroy();
  await until('nothing is left', async () => (await leftBehind(world())) === 0);
  t.deepEqual(await bulkSyncsOf(account), []);
  const lines = world().logLines.filter(({ route }) => route === bulkPath);
  t.like(lines.at(-1), { msg: 'request.aborted', level: 30 });
});

test.serial(
  'an upload that falls silent is answered 408 and has no effect; a drip of bytes keeps it alive',
  async (t) => {
    const account = await world().account();
    const sending = await slowUpload(account);
    const line = linesOf([aLine('A')]);
    const startedAt = Date.now();
    for (const byte of line.slice(0, 10)) {
      sending.socket.write(byte);
      await pause(silenceMs / 3);
    }
    t.is(sending.answer(), '', 'it was alive all the time');
    t.true(Date.now() - startedAt > 2 * silenceMs);
    await until('it is refused', () => Promise.resolve(sending.answer().includes('REQUEST_TIMEOUT')));
    t.regex(sending.answer(), /^HTTP\/1\.1 408 /);
    await sending.closed;
    t.deepEqual(await bulkSyncsOf(account), []);
    t.is(await leftBehind(world()), 0);
  },
);

test.serial('more lines than are allowed are 413, before the rest is sent, and have no effect', async (t) => {
  const account = await world().account();
  const lines = Array.from({ length: 51 }, (_, n) => aLine(`A${n}`));
  isError(t, await upload(world(), account, lines), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  t.is(await leftBehind(world()), 0);
  const sending = await slowUpload(account);
  sending.socket.write(linesOf(lines));
  await until('it is refused', () => Promise.resolve(sending.answer().includes('PAYLOAD_TOO_LARGE')));
  sending.socket.destroy();
  t.is((await upload(world(), account, lines.slice(1))).status, 202);
});

test.serial('a line that is too long fails alone', async (t) => {
  const account = await world().account();
  const long = aLine('long', { description: 'x'.repeat(3_000) });
  const { body } = await upload(world(), account, [aLine('A'), long, aLine('B')]);
  const errors = await world().call('GET', `${bulkPath}/${body.id}/errors`, { apiKey: account.apiKey });
  t.like(JSON.parse(errors.text), { line: 2, externalId: null, code: 'BAD_REQUEST' });
});

test.serial('a key that is revoked while the upload is on its way: 401 and no effect', async (t) => {
  const account = await world().account();
  const before = await leftBehind(world());
  const line = linesOf([aLine('A')]);
  const sending = await slowUpload(account, { length: 2 * line.length, headers: 'Expect: 100-continue\r\n' });
  await until('the key was let in', () => Promise.resolve(sending.answer().includes('100 Continue')));
  sending.socket.write(line);
  const { keys } = (await world().call('GET', '/integration/api-keys', { token: account.token })).body;
  await world().call('DELETE', `/integration/api-keys/${keys[0].id}`, { token: account.token });
  sending.socket.write(line);
  await until('it is refused', () => Promise.resolve(sending.answer().includes('UNAUTHORIZED')));
  t.regex(sending.answer(), /^HTTP\/1\.1 401 /m);
  sending.socket.destroy();
  t.deepEqual(await bulkSyncsOf(account), []);
  t.is(await leftBehind(world()), before);
});
