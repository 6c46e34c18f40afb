import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { createItembridgeClient } from '../../client/create-itembridge-client.ts';
import { Interrupted, UsageError } from '../../cli/exit-codes.ts';
import { StableFiles, WatchedFolder } from '../../cli/sync/watch/watched-folder.ts';
import { watchFolder, type WatchOptions } from '../../cli/sync/watch/watch-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startBulkService } from './support/bulk-service.ts';
import { present } from '../support/clock.ts';

type Behaviour = Parameters<typeof startBulkService>[0];

/** A service, a folder, and a way to watch it, again and again. */
async function aWatch(t: ExecutionContext, change: Behaviour = {}, options: Partial<WatchOptions> = {}) {
  const service = await startBulkService({ counts: { total: 1, created: 1 }, ...change });
  t.teardown(() => service.close());
  const path = temporaryFolder('watch');
  const told: { event: string; file: string; text: string }[] = [];
  const watch = (more: Partial<WatchOptions> = {}) => {
    const controller = new AbortController();
    const running = watchFolder({
      client: createItembridgeClient({ baseUrl: service.url, apiKey: 'sk_live_test', retries: { attemptsMax: 1 } }),
      service: { url: service.url, apiKey: 'sk_live_test', account: undefined },
      folder: new WatchedFolder(path),
      reading: {},
      mode: 'merge',
      confirm: false,
      replace: false,
      settleMs: 30,
      pauseMs: 30,
      log: { tell: (event, file, details) => told.push({ event, file, text: details.text }) },
      signal: controller.signal,
      ...options,
      ...more,
    });
    running.catch(() => undefined);
    const stop = async () => {
      controller.abort(new Interrupted('Stopped.'));
      await t.throwsAsync(running, { instanceOf: Interrupted });
    };
    t.teardown(() => controller.abort(new Interrupted('Stopped.')));
    return { stop };
  };
  const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(path, name), content);
  const inFolder = (name: string): string[] => readdirSync(join(path, name)).toSorted();
  const untilIn = (folder: string, pattern: RegExp) =>
    until(`${String(pattern)} in ${folder}`, async () => inFolder(folder).find((name) => pattern.test(name)));
  return { service, path, told, watch, put, inFolder, untilIn };
}

const csv = (price: number | string = 10): string => `externalId;title;price\nA;a;${price}\n`;
const keysOf = (service: { uploads: readonly { headers: Record<string, unknown> }[] }): unknown[] =>
  service.uploads.map(({ headers }) => headers['idempotency-key']);

test('a file is sent once, told of at each step, and moved; one of the same name the next night is another', async (t) => {
  const { service, told, watch, put, inFolder, untilIn } = await aWatch(t);
  watch();
  put('lager.csv', csv());
  const first = await untilIn('done', /^\d{8}T\d{9}Z-lager\.csv$/);
  put('lager.csv', csv());
  await until('both are done', async () => inFolder('done').length === 2);
  t.true(inFolder('done').includes(first));
  t.is(new Set(keysOf(service)).size, 2);
  t.deepEqual(inFolder('in-progress'), []);
  t.deepEqual(inFolder('failed'), []);
  t.deepEqual(
    told.slice(0, 5).map(({ event }) => event),
    ['seen', 'warning', 'sending', 'accepted', 'done'],
  );
  t.regex(told[4]?.text ?? '', /completed: 1 line, 1 created/);
});

test('files are sent one after the other, the oldest first', async (t) => {
  const { service, path, watch, put, inFolder } = await aWatch(t);
  for (const [second, name] of ['c.csv', 'a.csv', 'b.csv'].entries()) {
    put(name, `externalId;title;price\n${name};a;1\n`);
    utimesSync(join(path, name), second, second);
  }
  watch();
  await until('all are done', async () => inFolder('done').length === 3);
  t.deepEqual(
    service.uploads.map(({ lines }) => (JSON.parse(lines[1] ?? '') as { externalId: string }).externalId),
    ['c.csv', 'a.csv', 'b.csv'],
  );
});

test('a file that grows, an empty one, and one under the name of an unfinished one are left alone until they are complete', (t) => {
  const path = temporaryFolder('watch');
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  const files = new StableFiles(new WatchedFolder(path), 10_000);
  write('lager.csv', 'externalId');
  write('tom.csv', '');
  for (const name of ['.lager.csv.swp', '~$lager.xlsx', 'lager.csv.tmp', 'lager.csv.filepart', 'LAGER.PART', 'x.csv~'])
    write(name, 'x');
  mkdirSync(join(path, 'arkiv'));
  t.deepEqual(files.look(0), { complete: [], arrived: ['lager.csv', 'tom.csv'] });
  appendFileSync(join(path, 'lager.csv'), ';title');
  t.deepEqual(files.look(9_000), { complete: [], arrived: [] });
  t.deepEqual(files.look(18_999).complete, []);
  t.deepEqual(files.look(19_000).complete, ['lager.csv']);
  write('tom.csv', 'x');
  t.deepEqual(files.look(20_000).complete, ['lager.csv']);
  t.deepEqual(files.look(30_000).complete, ['lager.csv', 'tom.csv']);
  // Another file under the same name begins anew.
  write('ny.tmp', 'externalId;tit');
  renameSync(join(path, 'ny.tmp'), join(path, 'lager.csv'));
  t.deepEqual(files.look(31_000).complete, ['tom.csv']);
});

test('the tool’s own files in the folder are no files of items', (t) => {
  const path = temporaryFolder('watch');
  const mapping = join(path, 'mapping.json');
  writeFileSync(mapping, '{}');
  writeFileSync(join(path, 'lager.csv'), 'x');
  t.deepEqual(
    new WatchedFolder(path, [mapping, join(path, 'missing')]).waiting().map(({ name }) => name),
    ['lager.csv'],
  );
  t.throws(() => new WatchedFolder(mapping), { instanceOf: UsageError, message: /is no folder/ });
  t.throws(() => new WatchedFolder(join(path, 'missing')), { instanceOf: UsageError });
});

test('stopped while it is applied, it is followed by the next run without another upload', async (t) => {
  const { service, watch, put, inFolder, untilIn } = await aWatch(t, { state: 'running' });
  const { stop } = watch();
  put('lager.csv', csv());
  await until('it was accepted', async () => service.calls.some((call) => call.startsWith('GET')));
  await stop();
  t.is(inFolder('in-progress').length, 2);
  service.behaviour.state = 'completed';
  watch();
  await untilIn('done', /lager/);
  t.is(service.uploads.length, 1);
  t.deepEqual(inFolder('in-progress'), []);
});

test('an upload whose answer was lost is sent again under the same key, also by the next run', async (t) => {
  const { service, watch, put, untilIn } = await aWatch(t, { dropAnswers: Infinity });
  const { stop } = watch();
  put('lager.csv', csv());
  await until('it was sent twice', async () => service.uploads.length >= 2);
  await stop();
  service.behaviour.dropAnswers = 0;
  watch();
  await untilIn('done', /lager/);
  t.is(new Set(keysOf(service)).size, 1);
});

test('after a day without an answer nobody knows whether it was taken: it is not sent again, and says so', async (t) => {
  const { service, path, watch, put, inFolder, untilIn } = await aWatch(t, { dropAnswers: Infinity });
  const { stop } = watch();
  put('lager.csv', csv());
  await until('it was sent', async () => service.uploads.length > 0);
  await stop();
  const note = join(path, 'in-progress', inFolder('in-progress').find((name) => name.endsWith('.sync.json')) ?? '');
  const known = JSON.parse(readFileSync(note, 'utf8')) as object;
  writeFileSync(note, JSON.stringify({ ...known, sentAt: present(-24 * 3_600_000).toISOString() }));
  const sent = service.uploads.length;
  service.behaviour.dropAnswers = 0;
  watch();
  const why = await untilIn('failed', /lager\.csv\.txt$/);
  t.regex(readFileSync(join(path, 'failed', why), 'utf8'), /nobody knows whether it was taken/);
  t.is(service.uploads.length, sent);
});

test('lines that failed stand beside it, and corrected and put back they are a file of items', async (t) => {
  const failed = {
    line: 2,
    externalId: 'A',
    severity: 'error',
    status: 422,
    error: 'Validation failed',
    code: 'VALIDATION_FAILED',
    details: [problem('price', 'wrong_type', { type: 'number' })],
  };
  const { service, path, watch, put, inFolder, untilIn } = await aWatch(t, {
    counts: { total: 1, failed: 1 },
    errors: [failed],
  });
  watch();
  put('lager.csv', csv('1.500'));
  const errors = await untilIn('failed', /lager\.csv\.errors\.csv$/);
  await untilIn('done', /lager\.csv$/);
  const content = readFileSync(join(path, 'failed', errors), 'utf8');
  t.regex(content, /price ""1\.500"" is no clear number/);
  Object.assign(service.behaviour, { counts: { total: 1, created: 1 }, errors: [] });
  put('rättad.csv', content.replace(/1\.500\r\n$/, '1500\r\n'));
  await untilIn('done', /rättad/);
  t.like(JSON.parse(service.uploads[1]?.lines[1] ?? ''), { externalId: 'A', price: 1500 });
  t.is(inFolder('failed').length, 1);
});

test('a CSV keeps what it has nothing for, with --replace it empties it, and JSON replaces; all of it is told', async (t) => {
  const leftOutFields = [{ field: 'description', lines: 2 }];
  for (const [name, content, replace, leftOut] of [
    ['lager.csv', csv(), false, 'keep'],
    ['lager.csv', csv(), true, null],
    ['lager.ndjson', '{"externalId":"A"}\n', false, null],
  ] as const) {
    const counts = { total: 1, updated: 1, leftOut: leftOut ?? 'empty', leftOutFields };
    const { service, told, watch, put, untilIn } = await aWatch(t, { counts }, { replace });
    watch();
    put(name, content);
    await untilIn('done', /lager/);
    t.is(service.uploads[0]?.url.searchParams.get('leftOut'), leftOut);
    const done = told.find(({ event }) => event === 'done')?.text ?? '';
    t.regex(
      done,
      leftOut === 'keep' ? /\nKept, .*description \(2 lines\)\./ : /\nEmptied, .*description \(2 lines\)\./,
    );
  }
});

test('what the rows have shown is told, and rows that are skipped every night are named by the options', async (t) => {
  const reading = { headerLine: 2, skipLast: 1 };
  const { service, told, watch, put, untilIn } = await aWatch(t, {}, { reading });
  watch();
  put('lager.csv', "Lagerlista\nexternalId;title;price\n'0615;a;1\nSumma;;1\u001A");
  await untilIn('done', /lager/);
  t.like(JSON.parse(service.uploads[0]?.lines[2] ?? ''), { externalId: '0615', price: 1 });
  t.is(service.uploads[0]?.lines.length, 3);
  t.true(told.some(({ event, text }) => event === 'warning' && /A cell on line 3: the apostrophe/.test(text)));
});

test('warnings alone are no trouble: their lines stand in done, beside the file', async (t) => {
  const warning = { line: 2, externalId: 'A', severity: 'warning', status: 202, error: 'Taken with a warning' };
  const { watch, put, inFolder, untilIn } = await aWatch(t, {
    counts: { total: 1, created: 1, warned: 1 },
    errors: [warning],
  });
  watch();
  put('lager.csv', csv('1499,50'));
  await untilIn('done', /lager\.csv$/);
  await untilIn('done', /lager\.csv\.errors\.csv$/);
  t.deepEqual(inFolder('failed'), []);
});

test('a file that is refused as a whole goes to failed with the reason, and the next one is sent', async (t) => {
  const { service, path, watch, put, untilIn } = await aWatch(t);
  watch();
  put('lager.xlsx', Buffer.from('PK\u0003\u0004\u0014\0[Content_Types].xml'));
  put('lager.csv', csv());
  const why = await untilIn('failed', /lager\.xlsx\.txt$/);
  t.regex(readFileSync(join(path, 'failed', why), 'utf8'), /Excel workbook/);
  t.true(existsSync(join(path, 'failed', why.replace(/\.txt$/, ''))));
  await untilIn('done', /lager\.csv$/);
  t.is(service.uploads.length, 1);
});

test('a service that is away, refuses the key or has a conflict is tried again; a snapshot that needs a confirmation is not', async (t) => {
  const { service, path, told, watch, put, inFolder, untilIn } = await aWatch(t, {}, { mode: 'snapshot' });
  watch();
  for (const [status, code] of [
    [503, 'UNAVAILABLE'],
    [401, 'UNAUTHORIZED'],
    [409, 'CONFLICT'],
  ] as const) {
    service.behaviour.refusal = { status, body: { error: `refused by ${status}`, code, statusCode: status } };
    put(`lager-${status}.csv`, csv());
    await until(`${status} is told`, async () =>
      told.some(({ event, text }) => event === 'waiting' && text.includes(String(status))),
    );
    t.is(inFolder('in-progress').length, 2);
    service.behaviour.refusal = undefined;
    await untilIn('done', new RegExp(`lager-${status}`));
  }
  const details = [problem('confirm', 'unconfirmed')];
  service.behaviour.refusal = {
    status: 409,
    body: { error: 'would take down 9 of 10', code: 'CONFLICT', statusCode: 409, details },
  };
  put('tom.csv', csv());
  const why = await untilIn('failed', /tom\.csv\.txt$/);
  t.regex(readFileSync(join(path, 'failed', why), 'utf8'), /would take down 9 of 10.*\n.*\n.*--confirm/);
});

test('two that watch the same folder send a file once', async (t) => {
  const { service, watch, put, inFolder } = await aWatch(t);
  watch();
  watch();
  for (let n = 0; n < 5; n += 1) put(`lager-${n}.csv`, csv(n + 1));
  await until('all are done', async () => inFolder('done').length === 5);
  t.is(new Set(keysOf(service)).size, 5);
});

test('what was begun with another key is neither sent nor followed with this one', async (t) => {
  const { service, told, watch, put, inFolder } = await aWatch(t, { state: 'running' });
  const { stop } = watch();
  put('lager.csv', csv());
  await until('it was accepted', async () => service.calls.some((call) => call.startsWith('GET')));
  await stop();
  const apiKey = 'sk_live_other';
  watch({
    service: { url: service.url, apiKey, account: undefined },
    client: createItembridgeClient({ baseUrl: service.url, apiKey }),
  });
  await until('it is told', async () => told.some(({ text }) => text.includes('with another key or account')));
  t.false(service.apiKeys.has(apiKey));
  t.is(inFolder('in-progress').length, 2);
});
