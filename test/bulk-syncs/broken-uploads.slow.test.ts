import test, { type ExecutionContext } from 'ava';
import { isError, withApiWorld, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { aLine, bulkPath, leftBehind, linesOf, upload } from './support/bulk-calls.ts';
import { openUpload, type OpenUpload, type SlowUpload } from './support/open-upload.ts';
import { routesWith } from '../support/around-calls.ts';

const patienceMs = 700;
/** So long that the lines of each test make the 64 KB from which an upload counts as coming. */
const description = 'x'.repeat(1_500);
const smallLimits = { linesMax: 50, lineBytesMax: 2_000 };

const world = withApiWorld(test, {
  streamTimes: { patienceMs, totalMs: 60_000 },
  routes: routesWith((_route, call, handle) => {
    const isWide = wide.has(call.scope.actingAccountId);
    const uploadLimits = isWide ? { linesMax: 1_000, lineBytesMax: 2_000 } : smallLimits;
    return handle({ ...call, context: { ...call.context, uploadLimits } });
  }),
});
const wide = new Set<string>();

const bulkSyncsOf = async ({ token }: TestAccount, api: ApiWorld = world()): Promise<unknown[]> =>
  (await api.call('GET', '/partner/bulk-syncs', { token })).body.bulkSyncs;

const slowUpload = (account: TestAccount, options?: SlowUpload) => openUpload(world(), account, options);

// specification: an-upload-that-breaks
test.serial('an upload that breaks off in the middle has no effect, and nothing of it stays', async (t) => {
  const account = await world().account();
  wide.add(account.id);
  const sending = await slowUpload(account);
  sending.socket.write(linesOf(Array.from({ length: 450 }, (_, n) => aLine(`A${n}`, { description }))));
  await until('chunks are stored', async () => (await leftBehind(world())) >= 2);
  sending.socket.destroy();
  await until('nothing is left', async () => (await leftBehind(world())) === 0);
  t.deepEqual(await bulkSyncsOf(account), []);
  const lines = world().logLines.filter(({ route }) => route === bulkPath);
  t.like(lines.at(-1), { msg: 'request.aborted', level: 30 });
});

const refusedAsTooSlow = async (t: ExecutionContext, sending: OpenUpload, account: TestAccount): Promise<void> => {
  await until('it is refused', () => Promise.resolve(sending.answer().includes('REQUEST_TIMEOUT')));
  t.regex(sending.answer(), /^HTTP\/1\.1 408 /);
  await sending.closed;
  t.deepEqual(await bulkSyncsOf(account), []);
  t.is(await leftBehind(world()), 0);
};

// specification: an-upload-that-breaks
test.serial('an upload that falls silent is answered 408 and has no effect', async (t) => {
  const account = await world().account();
  const sending = await slowUpload(account);
  sending.socket.write(linesOf([aLine('A')]));
  await refusedAsTooSlow(t, sending, account);
});

// specification: an-upload-that-breaks
test.serial('an upload that drips is answered 408 and has no effect, however much it sent before', async (t) => {
  const account = await world().account();
  wide.add(account.id);
  const sending = await slowUpload(account);
  sending.socket.write(
    linesOf(Array.from({ length: 450 }, (_, n) => aLine(`A${n}`, { description: 'x'.repeat(500) }))),
  );
  // The time is what is tried: far more often than once in the time that silence may last.
  const drip = setInterval(() => sending.socket.write(' '), patienceMs / 10);
  t.teardown(() => clearInterval(drip));
  await refusedAsTooSlow(t, sending, account);
});

// specification: at-most-1-000
test.serial('more lines than are allowed are 413, before the rest is sent, and have no effect', async (t) => {
  const account = await world().account();
  const lines = Array.from({ length: 51 }, (_, n) => aLine(`A${n}`, { description }));
  isError(t, await upload(world(), account, lines), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  t.is(await leftBehind(world()), 0);
  const sending = await slowUpload(account);
  sending.socket.write(linesOf(lines));
  await until('it is refused', () => Promise.resolve(sending.answer().includes('PAYLOAD_TOO_LARGE')));
  sending.socket.destroy();
  t.is((await upload(world(), account, lines.slice(1))).status, 202);
});

// specification: at-most-1-000
test.serial('a line that is too long fails alone', async (t) => {
  const account = await world().account();
  const long = aLine('long', { description: 'x'.repeat(3_000) });
  const { body } = await upload(world(), account, [aLine('A'), long, aLine('B')]);
  const errors = await world().call('GET', `${bulkPath}/${body.id}/errors`, { apiKey: account.apiKey });
  t.like(JSON.parse(errors.text), { line: 2, externalId: null, code: 'BAD_REQUEST' });
});

// specification: an-upload-that-breaks
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
