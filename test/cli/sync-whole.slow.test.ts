import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { listen } from '../../api/http/listen.ts';
import { composeApi } from '../../compose/api.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWorld, type World } from '../support/world.ts';
import { runItembridge } from './support/run-itembridge.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';

let world: World;
let url: string;
let close: () => Promise<void>;

test.before(async () => {
  world = await startWorld();
  const { config, logger } = world.foundation;
  const composed = await composeApi(config, logger);
  const api = await listen(composed, { host: '127.0.0.1', port: 0 });
  url = api.url;
  close = async () => {
    await api.close();
    await composed.close();
  };
});
test.after.always(async () => {
  await close();
  await world.stop();
});

test('a CSV file goes through the whole system: counts, error file, exit code, and unchanged the second time', async (t) => {
  const account = await world.account();
  const { apiKey } = await generateApiKey(world.context, account.scope, { name: 'test' });
  const folder = temporaryFolder('sync');
  const [file, errors] = [join(folder, 'lager.csv'), join(folder, 'errors.csv')];
  const rows = Array.from({ length: 30 }, (_, index) => `A${index};Vara ${index};${index + 1},50`);
  writeFileSync(file, ['externalId;title;price', ...rows, 'B;gratis;0'].join('\r\n'));
  const env = { ITEMBRIDGE_URL: url, ITEMBRIDGE_API_KEY: apiKey, XDG_STATE_HOME: temporaryFolder('state') };
  const sync = () => runItembridge(['sync', file, '--json', '--errors', errors], { env });

  const first = await sync();
  t.is(first.code, 1, first.stderr);
  t.like(JSON.parse(first.stdout), { state: 'completed', total: 31, created: 30, unchanged: 0, failed: 1, warned: 30 });
  const [header, failed, ...warned] = readFileSync(errors, 'utf8').trim().split('\r\n');
  t.is(header, '\uFEFF#line;#severity;#error;externalId;title;price'.trim());
  t.is(failed, '32;error;"price ""0"" must be at least 1";B;gratis;0');
  t.is(warned.length, 30);
  t.regex(warned[0] ?? '', /^2;warning;"price ""1,50"" is sent .*";A0;Vara 0;1,50$/);
  t.is((await account.status('A29')).status.price, 30.5);
  const second = await sync();
  t.like(JSON.parse(second.stdout), { total: 31, created: 0, unchanged: 30, failed: 1 });

  // Corrected in the file of errors, it is sent as it is.
  writeFileSync(errors, readFileSync(errors, 'utf8').replace('B;gratis;0', 'B;billig;1'));
  const corrected = await runItembridge(['sync', errors, '--json'], { env });
  t.like(JSON.parse(corrected.stdout), { total: 31, created: 1, unchanged: 30, failed: 0 });
  t.is((await account.status('B')).status.price, 1);
});

test('a file without a column empties nothing before its count was shown and --replace says so', async (t) => {
  const account = await world.account();
  const { apiKey } = await generateApiKey(world.context, account.scope, { name: 'test' });
  const folder = temporaryFolder('sync');
  const [whole, part] = [join(folder, 'whole.csv'), join(folder, 'part.csv')];
  const rows = (texts: readonly string[]) => texts.map((text, n) => `A${n};Vara ${n};${n + 1};${text}`);
  writeFileSync(whole, ['externalId;title;price;description', ...rows(['Fin.', 'Ny.', ''])].join('\r\n'));
  writeFileSync(part, ['externalId;title;price', 'A0;Vara 0;9', 'A1;Vara 1;9', 'A2;Vara 2;9'].join('\r\n'));
  const env = { ITEMBRIDGE_URL: url, ITEMBRIDGE_API_KEY: apiKey, XDG_STATE_HOME: temporaryFolder('state') };
  const sync = async (file: string, ...options: string[]) =>
    (await runItembridge(['sync', file, ...options], { env })).stdout;
  const described = async () =>
    (
      await world.context.store.connection
        .collection('items')
        .find({ accountId: account.id })
        .sort({ externalId: 1 })
        .toArray()
    ).map((item) => (item['content'] as { description: string }).description);
  await sync(whole);
  t.regex(
    await sync(part, '--dry-run'),
    /\nWould be kept, .*: description \(2 lines\)\. With --replace they are emptied\./,
  );
  t.regex(await sync(part), /3 updated.*\nKept, .*: description \(2 lines\)\./);
  t.deepEqual(await described(), ['Fin.', 'Ny.', '']);
  t.regex(await sync(part, '--replace', '--dry-run'), /\nWould be emptied, .*: description \(2 lines\)\./);
  t.regex(await sync(part, '--replace'), /2 updated, 1 unchanged.*\nEmptied, .*: description \(2 lines\)\./);
  t.deepEqual(await described(), ['', '', '']);
  t.notRegex(await sync(part), /Kept|Emptied/);
});
