import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { until } from '../support/until.ts';
import { aSync, threeItems } from './support/a-sync.ts';
import { runItembridge, startItembridge } from './support/run-itembridge.ts';

const line2Failed = {
  line: 2,
  externalId: 'B',
  severity: 'error',
  status: 422,
  error: 'Validation failed',
  code: 'VALIDATION_FAILED',
  details: [problem('price', 'too_small', { min: 1 })],
};

test('a file is uploaded as it is, with the key in a header, watched to its end, summed up and forgotten', async (t) => {
  const { service, file, env, states } = await aSync(t, { counts: { total: 3, created: 2, unchanged: 1 } });
  const { code, stdout, stderr } = await runItembridge(['sync', file, '--account', 'butik-1'], { env });
  t.is(code, 0, stderr);
  t.regex(stdout, /completed: 3 lines, 2 created, 0 updated, 1 unchanged, 0 failed/);
  const [upload] = service.uploads;
  t.is(`${upload?.lines.join('\n')}\n`, threeItems);
  t.is(upload?.headers['x-api-key'], 'sk_live_of_the_test');
  t.is(upload?.headers['x-partner-account'], 'butik-1');
  t.is(upload?.headers['content-type'], 'application/x-ndjson');
  t.deepEqual(states(), []);
  const phases = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { phase: string; done: number; total: number });
  t.deepEqual([...new Set(phases.map(({ phase }) => phase))], ['upload', 'apply']);
  t.like(phases.at(-1), { phase: 'apply', done: 3, total: 3 });
});

test('failed lines make the exit code 1 and go to the error file as they are, with number and reason, which can be sent again', async (t) => {
  const { service, folder, file, env } = await aSync(t, {
    counts: { total: 3, created: 2, failed: 1 },
    errors: [line2Failed],
  });
  const errors = join(folder, 'errors.ndjson');
  const { code, stdout } = await runItembridge(['sync', file, '--errors', errors, '--json'], { env });
  t.is(code, 1);
  t.like(JSON.parse(stdout), { state: 'completed', failed: 1, errorsFile: errors });
  const [, second = ''] = threeItems.split('\n');
  t.deepEqual(JSON.parse(readFileSync(errors, 'utf8')), { '#report': line2Failed, ...(JSON.parse(second) as object) });
  const again = await runItembridge(['sync', errors, '--detach'], { env });
  t.is(again.code, 0, again.stderr);
  t.deepEqual(service.uploads.at(-1)?.lines, [second]);
  const shown = await runItembridge(['sync', file], { env });
  t.regex(shown.stdout, /line 2 \(B\): price must be at least 1 \(VALIDATION_FAILED\)/);
});

// specification: lines-are-warned-of
test('lines with warnings are counted, shown and go to the error file after those that failed; they alone end with 0', async (t) => {
  const warned = (line: number, externalId: string, field: string) => ({
    line,
    externalId,
    severity: 'warning',
    status: 202,
    error: 'The line was taken, with a warning',
    details: [problem(field, 'ignored_field', {})],
  });
  const warnings = [warned(1, 'A', 'titel'), warned(3, 'C', 'pris')];
  const { service, folder, file, env } = await aSync(t, {
    counts: { total: 3, created: 2, failed: 1, warned: 2, repeated: 1 },
    errors: [line2Failed, ...warnings],
  });
  const errors = join(folder, 'errors.ndjson');
  const filed = await runItembridge(['sync', file, '--errors', errors], { env });
  t.is(filed.code, 1);
  t.regex(filed.stdout, /1 failed, 2 with warnings, 1 with an id that an earlier line has\n/);
  const items = threeItems
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  t.deepEqual(
    readFileSync(errors, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
    [
      { '#report': line2Failed, ...items[1] },
      { '#report': warnings[0], ...items[0] },
      { '#report': warnings[1], ...items[2] },
    ],
  );
  Object.assign(service.behaviour, { counts: { total: 3, created: 3, warned: 2 }, errors: warnings });
  for (const options of [[], ['--dry-run']]) {
    const { code, stdout } = await runItembridge(['sync', file, ...options], { env });
    t.is(code, 0);
    t.regex(stdout, /2 with warnings\n\s+line 1 \(A\): titel is not a known field and is ignored \(warning\)/);
  }
});

test('Ctrl-C during the upload breaks it off, says that nothing was taken and leaves nothing behind', async (t) => {
  const big = threeItems.repeat(60_000);
  const never = new Promise<void>(() => undefined);
  const { service, file, env, states } = await aSync(t, { readUploads: never }, big);
  const run = startItembridge(['sync', file], { env });
  await until('the upload has begun', () => Promise.resolve(service.calls.length > 0));
  run.child.kill('SIGINT');
  const { code, stderr } = await run.done;
  t.is(code, 130);
  t.regex(stderr, /nothing was taken/);
  t.deepEqual(states(), []);
});

test('Ctrl-C while it is applied says that it goes on, and the same command watches it without another upload', async (t) => {
  const { service, file, env, states } = await aSync(t, { state: 'running', counts: { total: 3, created: 1 } });
  const run = startItembridge(['sync', file], { env });
  await until('it is watched', () => Promise.resolve(service.calls.some((call) => call.startsWith('GET'))));
  run.child.kill('SIGINT');
  const stopped = await run.done;
  t.is(stopped.code, 130);
  t.regex(stopped.stderr, /goes on at the service/);
  t.is(states().length, 1);
  t.regex((await runItembridge(['sync', 'status'], { env })).stdout, /items\.ndjson: .* running: 3 lines, 1 created/);

  Object.assign(service.behaviour, { state: 'completed', counts: { total: 3, created: 3 } });
  const again = await runItembridge(['sync', file], { env });
  t.is(again.code, 0);
  t.regex(again.stderr, /Going on with/);
  t.is(service.uploads.length, 1);
  t.deepEqual(states(), []);
});

test('an upload whose answer was lost is repeated under the same Idempotency-Key, also by the next command', async (t) => {
  const { service, file, env } = await aSync(t, { dropAnswers: 1, counts: { total: 3, created: 3 } });
  t.is((await runItembridge(['sync', file], { env })).code, 0);
  const keysOf = (): unknown[] => service.uploads.map(({ headers }) => headers['idempotency-key']);
  t.is(service.uploads.length, 2);
  t.is(new Set(keysOf()).size, 1);

  service.uploads.length = 0;
  service.behaviour.dropAnswers = Infinity;
  const run = startItembridge(['sync', file], { env });
  await until('it was uploaded', () => Promise.resolve(service.uploads.length > 0));
  run.child.kill('SIGKILL');
  await run.done;
  service.behaviour.dropAnswers = 0;
  t.is((await runItembridge(['sync', file], { env })).code, 0);
  t.is(new Set(keysOf()).size, 1);
});

test('what the service refuses, and what is used wrongly, ends with 2; out of reach with 3', async (t) => {
  const { service, file, env, states } = await aSync(t, {
    refusal: {
      status: 409,
      body: { error: 'A snapshot runs', code: 'CONFLICT', statusCode: 409 },
      headers: { 'x-request-id': 'r-1' },
    },
  });
  const refused = await runItembridge(['sync', file, '--snapshot', '--confirm'], { env });
  t.is(refused.code, 2);
  t.regex(refused.stderr, /A snapshot runs \(CONFLICT\)\n\s+request r-1/);
  t.deepEqual(states(), []);
  const secret = 'sk_live_secret';
  const wrong = [
    ['sync'],
    ['sync', file, '--nonsense'],
    ['sync', '/nonexistent.csv'],
    ['sync', file, '--api-key', secret],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await runItembridge(args, { env: { ITEMBRIDGE_URL: service.url } });
    t.is(code, 2, args.join(' '));
    t.false(`${stdout}${stderr}`.includes(secret));
    t.notRegex(stderr, /^\s+at /m);
  }
  await service.close();
  const away = await runItembridge(['items', 'get', 'A'], { env });
  t.is(away.code, 3);
  t.regex(away.stderr, /can't be reached: .*ECONNREFUSED/);
});

test('a dry run only asks, --detach only begins, and cancel ends what was begun', async (t) => {
  const { service, file, env } = await aSync(t, {
    state: 'running',
    counts: { total: 3, failed: 1 },
    errors: [line2Failed],
  });
  const dry = await runItembridge(['sync', '-', '--dry-run', '--format', 'ndjson'], { env, input: threeItems });
  t.is(dry.code, 1);
  t.regex(dry.stdout, /nothing was changed: 3 lines, 1 would fail\n\s+line 2 \(B\)/);
  t.is(service.uploads[0]?.url.searchParams.get('validateOnly'), 'true');

  const begun = await runItembridge(['sync', file, '--detach', '--json', '--snapshot'], { env });
  t.is(begun.code, 0, begun.stderr);
  t.is(service.uploads[1]?.url.searchParams.get('mode'), 'snapshot');
  const { id } = JSON.parse(begun.stdout) as { id: string };
  const cancelled = await runItembridge(['sync', file, '--snapshot', '--cancel'], { env });
  t.is(cancelled.code, 0, cancelled.stderr);
  t.regex(cancelled.stdout, new RegExp(`${id} is being cancelled`));
  t.is((await runItembridge(['sync', 'cancel'], { env })).code, 0);
  service.behaviour.state = 'cancelled';
  const nothing = await runItembridge(['sync', 'cancel'], { env });
  t.is(nothing.code, 2);
  t.regex(nothing.stderr, /Which one/);
  // What is over does not stand for a new one.
  t.is((await runItembridge(['sync', file, '--snapshot'], { env })).code, 3);
  t.is(service.uploads.length, 3);
});

/** Another file beside the one of `aSync`, and the keys under which uploads came. */
function another({ service, folder }: Awaited<ReturnType<typeof aSync>>) {
  const other = join(folder, 'other.ndjson');
  writeFileSync(other, threeItems.replaceAll('10', '20'));
  return { other, keys: () => service.uploads.map(({ headers }) => String(headers['idempotency-key'])) };
}

test('detached, a content that comes back after another is sent again, while the first one still runs and later', async (t) => {
  const world = await aSync(t, { state: 'running' });
  const { service, file, env } = world;
  const { other, keys } = another(world);
  const detached = (path: string) => runItembridge(['sync', path, '--detach', '--json'], { env });
  await detached(file);
  await detached(file);
  t.is(keys().length, 1);
  for (const path of [other, file]) t.is((await detached(path)).code, 0);
  t.is(new Set(keys()).size, 3);
  service.behaviour.state = 'completed';
  for (const path of [file, other, file]) t.is((await detached(path)).code, 0);
  t.is(new Set(keys()).size, 6);
  t.is(keys().length, 6);
});

test('watched and interrupted, a content that comes back after another is sent again, also in another mode', async (t) => {
  for (const mode of [[], ['--snapshot']]) {
    const world = await aSync(t, { state: 'running' });
    const { service, file, env } = world;
    const { other, keys } = another(world);
    const run = startItembridge(['sync', file], { env });
    await until('it is watched', () => Promise.resolve(service.calls.some((call) => call.startsWith('GET'))));
    run.child.kill('SIGINT');
    t.is((await run.done).code, 130);
    service.behaviour.state = 'completed';
    t.is((await runItembridge(['sync', other, ...mode], { env })).code, 0);
    t.is((await runItembridge(['sync', file], { env })).code, 0);
    t.is(new Set(keys()).size, 3);
  }
});

test('a lost answer is not asked for any more once another content was sent', async (t) => {
  const world = await aSync(t, { dropAnswers: Infinity });
  const { service, file, env } = world;
  const { other, keys } = another(world);
  const run = startItembridge(['sync', file], { env });
  await until('it was uploaded', () => Promise.resolve(service.uploads.length > 0));
  run.child.kill('SIGKILL');
  await run.done;
  const [lost] = keys();
  service.uploads.length = 0;
  service.behaviour.dropAnswers = 0;
  for (const path of [other, file]) t.is((await runItembridge(['sync', path], { env })).code, 0);
  t.is(new Set([lost, ...keys()]).size, 3);
});

test('status and cancel without an ID are about the member that is named, and forget what the service does not know', async (t) => {
  const { service, file, env, states } = await aSync(t, { state: 'running' });
  const begun = await runItembridge(['sync', file, '--detach', '--json', '--account', 'butik-1'], { env });
  const { id } = JSON.parse(begun.stdout) as { id: string };
  t.regex((await runItembridge(['sync', 'status'], { env })).stdout, /Nothing begun/);
  t.is((await runItembridge(['sync', 'cancel'], { env })).code, 2);
  t.is((await runItembridge(['sync', 'cancel', '--account', 'butik-2'], { env })).code, 2);
  t.false(service.calls.some((call) => call.startsWith('DELETE')));
  const cancelled = await runItembridge(['sync', 'cancel', '--json', '--account', 'butik-1'], { env });
  t.like(JSON.parse(cancelled.stdout), { id });

  service.behaviour.isForgetful = true;
  const status = await runItembridge(['sync', 'status', '--account', 'butik-1'], { env });
  t.is(status.code, 0, status.stderr);
  t.regex(status.stdout, /not kept any more/);
  t.deepEqual(states(), []);
});

test('the file for errors is never the file of items, and is gone when nothing failed', async (t) => {
  const { service, folder, file, env } = await aSync(t);
  const alias = join(folder, 'alias.ndjson');
  linkSync(file, alias);
  for (const errors of [file, alias]) {
    const { code, stderr } = await runItembridge(['sync', file, '--errors', errors], { env });
    t.is(code, 2);
    t.regex(stderr, /file of items itself/);
  }
  t.is(service.uploads.length, 0);
  t.is(readFileSync(file, 'utf8'), threeItems);

  const errors = join(folder, 'errors.ndjson');
  writeFileSync(errors, 'of yesterday');
  const { code, stdout } = await runItembridge(['sync', file, '--errors', errors, '--json'], { env });
  t.is(code, 0);
  t.false('errorsFile' in JSON.parse(stdout));
  t.false(existsSync(errors));
  t.deepEqual(readdirSync(folder).toSorted(), ['alias.ndjson', 'items.ndjson', 'state']);
});
