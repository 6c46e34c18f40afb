import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startBulkService } from './support/bulk-service.ts';
import { startItembridge } from './support/run-itembridge.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

type Change = Parameters<typeof startBulkService>[0];

async function aFolder(t: ExecutionContext, change?: Change) {
  const service = await startBulkService({ counts: { total: 1, created: 1 }, ...change });
  t.teardown(() => service.close());
  const folder = temporaryFolder('watch');
  const env = { ITEMBRIDGE_URL: service.url, ITEMBRIDGE_API_KEY: 'sk_live_of_the_test' };
  const start = (...more: string[]) => {
    const run = startItembridge(['sync', '--watch', folder, '--settle', '0.1', ...more], { env });
    t.teardown(() => run.child.kill('SIGKILL'));
    return run;
  };
  const put = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const isDone = async (): Promise<boolean> =>
    existsSync(join(folder, 'done')) && readdirSync(join(folder, 'done')).length > 0;
  return { service, folder, start, put, isDone };
}

const csv = 'externalId;title;price\nA;a;10\n';

test('killed while it is applied, the next process follows it and sends nothing', async (t) => {
  const { service, start, put, isDone } = await aFolder(t, { state: 'running' });
  const first = start();
  put('lager.csv', csv);
  await until('it is followed', async () => service.calls.filter((call) => call.startsWith('GET')).length > 1);
  first.child.kill('SIGKILL');
  await first.done;
  service.behaviour.state = 'completed';
  start();
  await until('it is done', isDone);
  t.is(service.uploads.length, 1);
});

test('killed before the answer to its upload came, the next process sends it under the same key', async (t) => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const { service, start, put, isDone } = await aFolder(t, { readUploads: held });
  const first = start();
  put('lager.csv', csv);
  await until('it is sent', async () => service.calls.some((call) => call.startsWith('POST')));
  first.child.kill('SIGKILL');
  await first.done;
  answer();
  start();
  await until('it is done', isDone);
  const keys = new Set(service.uploads.map(({ headers }) => headers['idempotency-key']));
  t.is(keys.size, 1);
});

test('Ctrl-C is its normal end; with --json each step is a value; options for one file are refused', async (t) => {
  const { folder, start, put, isDone } = await aFolder(t);
  const run = start('--json');
  put('lager.csv', csv);
  await until('it is done', isDone);
  await until('it is told', async () => run.said().stdout.includes('"done"'));
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.done;
  t.is(code, 0, stderr);
  const steps = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; file: string; movedTo?: string });
  t.deepEqual(
    steps.map(({ event }) => event),
    ['seen', 'warning', 'sending', 'accepted', 'done'],
  );
  t.regex(steps.at(-1)?.movedTo ?? '', /^done\/\d{8}T\d{9}Z-lager\.csv$/);
  for (const odd of [['--dry-run'], ['--errors', 'x'], ['--detach'], [join(folder, 'x.csv')]]) {
    const refused = await start(...odd).done;
    t.is(refused.code, 2, refused.stderr);
  }
});
