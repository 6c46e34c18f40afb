import { gzipSync } from 'node:zlib';
import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';
import { few, limitOf, limitsOn } from '../support/with-limits.ts';
import { aLine, bulkPath, linesOf, ndjson, upload } from '../bulk-syncs/support/bulk-calls.ts';
import { ofSize } from '../bulk-syncs/support/line-of-size.ts';

// What a stranger's account can take from others by bulk uploads: work for little sent.

const world = withApiWorld(test);
const withLimits = limitsOn(world);

const kilobytes = (count: number): number => count * 1024;

const packed = (lines: readonly unknown[]) => new Uint8Array(gzipSync(linesOf(lines), { level: 9 }));
const gzip = { 'content-encoding': 'gzip' };

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
