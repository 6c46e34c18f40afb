import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runItembridge } from './support/run-itembridge.ts';

const world = withApiWorld(test);

test('the service numbers the lines of a CSV as the file does, and a sync is begun, shown and cancelled', async (t) => {
  const { apiKey } = await world().account();
  const env = { ITEMBRIDGE_URL: world().url, ITEMBRIDGE_API_KEY: apiKey, XDG_STATE_HOME: temporaryFolder('state') };
  const file = join(temporaryFolder('csv'), 'lager.csv');
  const rows = [
    'externalId;description;title;price',
    'A;"två',
    'rader";a;1,50',
    '',
    'B;;utan pris;',
    'C;;c;ett',
    'D;;d;4',
  ];
  writeFileSync(file, rows.join('\r\n'));

  const dry = await runItembridge(['sync', file, '--dry-run', '--json'], { env });
  t.is(dry.code, 1, dry.stderr);
  const check = JSON.parse(dry.stdout);
  t.like(check, { total: 4, failed: 2, warned: 1 });
  interface Reported {
    readonly line: number;
    readonly externalId: string;
    readonly severity: string;
    readonly details: readonly { readonly field: string }[];
  }
  const reported = check.errors.map(({ line, externalId, severity, details }: Reported) => [
    ...[line, externalId, severity],
    ...details.map(({ field }) => field),
  ]);
  t.deepEqual(reported, [
    [5, 'B', 'error', 'price'],
    [6, 'C', 'error', 'price'],
    [2, 'A', 'warning', 'price'],
  ]);

  const begun = await runItembridge(['sync', file, '--detach', '--json'], { env });
  t.is(begun.code, 0, begun.stderr);
  const { id } = JSON.parse(begun.stdout);
  t.like(JSON.parse((await runItembridge(['sync', 'status', id, '--json'], { env })).stdout), { id, total: 4 });
  const cancelled = await runItembridge(['sync', 'cancel', id, '--json'], { env });
  t.is(cancelled.code, 0, cancelled.stderr);
  t.is(JSON.parse(cancelled.stdout).id, id);
});

test('what the service refuses about a whole file has its words and leaves nothing to go on with', async (t) => {
  const { apiKey } = await world().account();
  const env = { ITEMBRIDGE_URL: world().url, ITEMBRIDGE_API_KEY: apiKey, XDG_STATE_HOME: temporaryFolder('state') };
  const { code, stderr } = await runItembridge(['sync', '-', '--format', 'ndjson'], { env, input: '\n\n' });
  t.is(code, 2);
  t.regex(stderr, /\(BAD_REQUEST\)/);
  t.regex((await runItembridge(['sync', 'status'], { env })).stdout, /Nothing begun/);
  const nobody = await runItembridge(['sync', '-', '--account', 'nobody'], { env, input: '{"externalId":"A"}\n' });
  t.is(nobody.code, 2);
  t.regex(nobody.stderr, /\(PARTNER_ACCOUNT_FORBIDDEN\)/);
});
