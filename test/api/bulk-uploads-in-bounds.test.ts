import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';
import { few, limitOf, limitsOn } from '../support/with-limits.ts';
import { until } from '../support/until.ts';
import { aLine, bulkPath, linesOf, ndjson, upload } from '../bulk-syncs/support/bulk-calls.ts';
import { openUpload, type OpenUpload } from '../bulk-syncs/support/open-upload.ts';

// What a stranger's account can take from others by bulk uploads: places, work for little sent, the event loop.

const world = withApiWorld(test);
const withLimits = limitsOn(world);

const kilobytes = (count: number): number => count * 1024;

/** 4 uploads of each of 8 new accounts, which send `begin` and then nothing. */
async function attack(t: ExecutionContext, begin: string): Promise<readonly OpenUpload[]> {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => world().account()));
  const opened: OpenUpload[] = [];
  for (const account of accounts.flatMap((one) => [one, one, one, one])) {
    const sending = await openUpload(world(), account, { headers: 'Expect: 100-continue\r\n' });
    t.teardown(() => sending.socket.destroy());
    opened.push(sending);
    await until('its key was let in', () => Promise.resolve(sending.answer().includes('100 Continue')));
    sending.socket.write(begin);
  }
  return opened;
}

test.serial('32 uploads of 8 accounts that have sent next to nothing keep no other account out', async (t) => {
  const attackers = await attack(t, '{"externalId":');
  t.is((await upload(world(), await world().account(), [aLine('A')])).status, 202);
  t.true(
    attackers.every(({ answer }) => !answer().includes('429')),
    'they hold no place, so they were not refused',
  );
});

test.serial('32 uploads of 8 accounts that have begun keep no other account out', async (t) => {
  const attackers = await attack(t, `{"externalId":"${'x'.repeat(kilobytes(64))}`);
  const refused = () => attackers.filter(({ answer }) => answer().includes('RATE_LIMITED')).length;
  await until('those beyond half of the places are refused', () => Promise.resolve(refused() >= 12));
  const another = await world().account();
  for (let n = 0; n < 8; n += 1) t.is((await upload(world(), another, [aLine(`A${n}`)])).status, 202);
});

const packed = (lines: readonly unknown[]) => new Uint8Array(gzipSync(linesOf(lines), { level: 9 }));
const gzip = { 'content-encoding': 'gzip' };
const ofSize = (externalId: string, bytes: number): string => {
  const line = JSON.stringify(aLine(externalId, { description: '' }));
  return line.replace('"description":""', `"description":"${noise(bytes - line.length - 1)}"`);
};
/** Text that packs to about two thirds: what an attacker would not send, and a limit on ratios must not refuse. */
const noise = (length: number): string =>
  Array.from({ length: Math.ceil(length / 10) }, () => Math.random().toString(36).slice(2).padEnd(10, 'x').slice(0, 10))
    .join('')
    .slice(0, length);

for (const query of ['', '?validateOnly=true']) {
  test(`an upload costs a point for each 64 KB that it unpacks to${query}`, async (t) => {
    const account = await world().account();
    await withLimits({ key: few(100) }, async ({ call }) => {
      const raw = packed(Array.from({ length: 10 }, (_, n) => ofSize(`A${n}`, 65_000)));
      const headers = { 'content-type': ndjson, ...gzip };
      const reply = await call('POST', bulkPath + query, { apiKey: account.apiKey, raw, headers });
      t.is(reply.status, query === '' ? 202 : 200, reply.text);
      const next = await call('GET', `${bulkPath}/x`, { apiKey: account.apiKey });
      // 10 for the upload, of which its first point is a part, and one for this call.
      t.regex(limitOf(next) ?? '', /r=89;/);
    });
  });

  test(`an upload of many short lines costs 256 bytes more for each of them${query}`, async (t) => {
    const account = await world().account();
    await withLimits({ key: few(100) }, async ({ call }) => {
      const raw = packed(Array.from({ length: 5_000 }, () => '{}'));
      const headers = { 'content-type': ndjson, ...gzip };
      await call('POST', bulkPath + query, { apiKey: account.apiKey, raw, headers });
      const next = await call('GET', `${bulkPath}/x`, { apiKey: account.apiKey });
      t.regex(limitOf(next) ?? '', /r=79;/);
    });
  });

  test(`an upload that unpacks to more than 200 times what was sent is refused${query}`, async (t) => {
    const account = await world().account();
    const raw = packed([
      aLine('A'),
      ...Array.from({ length: 3 }, (_, n) => aLine(`B${n}`, { description: ' '.repeat(kilobytes(1_000)) })),
    ]);
    const reply = await upload(world(), account, [], { query, raw, headers: gzip });
    isError(t, reply, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    t.is(reply.body.error, 'The body unpacks to more than 200 times what was sent');
    const { bulkSyncs } = (await world().call('GET', '/partner/bulk-syncs', { token: account.token })).body;
    t.deepEqual(bulkSyncs, []);
  });
}

test('one megabyte may be packed as tightly as it can be', async (t) => {
  const account = await world().account();
  const raw = packed([aLine('A', { description: ' '.repeat(kilobytes(1_000)) })]);
  t.is((await upload(world(), account, [], { raw, headers: gzip })).status, 202);
});

test('an upload whose key has no points left waits for them, and no other caller does', async (t) => {
  const account = await world().account();
  const other = await world().account();
  await withLimits({ key: few(20) }, async ({ call, url }) => {
    const sending = await openUpload({ url }, account, { length: 2_000_000 });
    t.teardown(() => sending.socket.destroy());
    sending.socket.write(linesOf(Array.from({ length: 15 }, (_, n) => ofSize(`A${n}`, kilobytes(100)))));
    const own = () => call('GET', `${bulkPath}/x`, { apiKey: account.apiKey });
    await until('its points are used up', async () => (await own()).status === 429);
    t.is((await call('GET', `${bulkPath}/x`, { apiKey: other.apiKey })).status, 404);
    t.is(sending.answer(), '', 'it was not refused');
    sending.socket.destroy();
  });
});
