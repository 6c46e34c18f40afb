import test from 'ava';
import { lineError, uploadLimits, type LineReport } from '../../features/bulk-syncs/rules/bulk-sync.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { accountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createUploadWriter, type ChunkInserts } from '../../features/bulk-syncs/upload-writer.ts';
import { readUpload } from '../../features/bulk-syncs/read-upload.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { aLine, linesOf } from './support/bulk-calls.ts';
import { present } from '../support/clock.ts';

/** Nobody may ask it anything. */
const untouched = new Proxy(
  {},
  {
    get: (_target, name) => {
      throw new Error(`the database was asked for ${String(name)}`);
    },
  },
) as StoreConnection;

const scope = { accountId: accountId('a'), actingAccountId: accountId('a') } as Scope;

function fakeInserts() {
  const errors: LineReport[] = [];
  const chunks: { accountId: string; lines: number }[] = [];
  let errorBytesAtOnce = 0;
  const inserts: ChunkInserts = {
    insertChunk: (_store, place, { content }) => {
      if (content.kind === 'lines') chunks.push({ accountId: place.accountId, lines: content.lines.length });
      return Promise.resolve();
    },
    insertErrors: (_store, _uploadId, { reports }) => {
      errors.push(...reports);
      errorBytesAtOnce = Math.max(errorBytesAtOnce, JSON.stringify(reports).length);
      return Promise.resolve();
    },
    insertIds: () => Promise.resolve(),
  };
  return { inserts, errors, chunks, errorBytesAtOnce: () => errorBytesAtOnce };
}

const writerOf = (inserts: ChunkInserts) =>
  createUploadWriter({ store: untouched, uploadId: 'u', now: present, keepsIds: false, keepsLines: true, inserts });

async function* bodyOf(lineCount: number, line: (n: number) => unknown): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < lineCount; n += 1) yield await Promise.resolve(Buffer.from(linesOf([line(n)])));
}

// specification: without-holding-the-body
test('references of members of any length are neither looked up nor held: their lines fail, and repeat the beginning alone', async (t) => {
  const fake = fakeInserts();
  const writer = writerOf(fake.inserts);
  const long = 'x'.repeat(500_000);
  let most = 0;
  const { total } = await readUpload(
    {
      store: untouched,
      logger: { error: () => t.fail('a line could not be checked') },
      sink: {
        take: (line) => writer.take(line),
        fail: (error) => {
          const failed = writer.fail(error);
          most = Math.max(most, writer.heldBytes());
          return failed;
        },
      },
    },
    scope,
    {
      mode: 'merge',
      leftOut: 'empty',
      limits: uploadLimits,
      body: {
        bytes: () => bodyOf(300, (n) => aLine(n % 2 === 0 ? `A${n}` : '', { account: `${n}${long}` })),
        digest: () => '',
        drain: () => Promise.resolve(),
      },
    },
  );
  await writer.finish();
  t.is(total, 300);
  t.is(writer.failed(), 300);
  t.true(most < 200_000, `${most} bytes were held`);
  t.like(fake.errors[0], { line: 1, externalId: 'A0', code: 'VALIDATION_FAILED', details: [{ field: 'account' }] });
  t.like(fake.errors[1], { line: 2, externalId: null, code: 'VALIDATION_FAILED' });
  for (const { account = '' } of fake.errors) t.true(account.length > 50 && account.length <= 101);
});

// specification: without-holding-the-body
test('refused lines are held by their bytes, however few they are', async (t) => {
  const fake = fakeInserts();
  const writer = writerOf(fake.inserts);
  for (let line = 1; line <= 100; line += 1) {
    await writer.fail(lineError({ line, externalId: null }, new Refusal('BAD_REQUEST', 'm'.repeat(100_000))));
    t.true(writer.heldBytes() < 700_000, `${writer.heldBytes()} bytes are held`);
  }
  await writer.finish();
  t.is(fake.errors.length, 100);
  t.true(fake.errorBytesAtOnce() < 700_000);
});

test('a file that mixes thousands of members is stored in chunks of many lines, within what may be held', async (t) => {
  const fake = fakeInserts();
  const writer = writerOf(fake.inserts);
  const [members, rounds] = [6_000, 20];
  const request = anItemRequest({ description: 'x'.repeat(800) });
  let most = 0;
  for (let n = 0; n < members * rounds; n += 1) {
    const line = { line: n + 1, externalId: `A${n}`, account: undefined, request };
    await writer.take({ ...line, accountId: accountId(`m${n % members}`) });
    most = Math.max(most, writer.heldBytes());
  }
  await writer.finish();
  t.true(most <= 8 * 1024 * 1024, `${most} bytes were held`);
  t.is(
    fake.chunks.reduce((sum, { lines }) => sum + lines, 0),
    members * rounds,
  );
  // Each search for room makes room for thousands of lines.
  t.true(writer.searches() < 50, `${writer.searches()} searches`);
});
