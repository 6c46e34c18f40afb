import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { cutLine } from '../../features/rules/exported-files.ts';
import { aSync } from './support/a-sync.ts';
import { runItembridge } from './support/run-itembridge.ts';

test('a CSV of another encoding, with columns of other names, is mapped by options or by a file, and another mapping is another sync', async (t) => {
  const { service, folder, env } = await aSync(t, { counts: { total: 1, created: 1 } });
  const file = join(folder, 'lager.csv');
  writeFileSync(file, Buffer.from('Artikelnr;Benämning;Pris, kr\r\nA;Dörr;450 kr;;\r\n', 'latin1'));
  const refused = await runItembridge(['sync', file], { env });
  t.is(refused.code, 2);
  t.regex(refused.stderr, /Did you mean this\? --map 'externalId=Artikelnr,title=Benämning,price=Pris, kr'/);
  t.is(service.uploads.length, 0);

  const pairs = 'externalId=Artikelnr,title=Benämning,price=Pris, kr';
  const mapFile = join(folder, 'mapping.json');
  writeFileSync(mapFile, '{"externalId":"Artikelnr","title":"Benämning","price":"Pris, kr"}');
  for (const options of [
    ['--map', pairs, '--set', 'domain=auto_parts'],
    ['--map-file', mapFile, '--set', 'domain=auto_parts', '--encoding', 'windows-1252'],
  ]) {
    const { code, stderr } = await runItembridge(['sync', file, ...options], { env });
    t.is(code, 0, stderr);
    const item = JSON.parse(service.uploads.at(-1)?.lines[1] ?? '') as object;
    t.like(item, { externalId: 'A', title: 'Dörr', price: 450, domain: { domain: 'auto_parts' } });
    t.is(stderr.includes('read as windows-1252'), !options.includes('--encoding'));
  }
  const keys = new Set(service.uploads.map(({ headers }) => headers['idempotency-key']));
  t.is(keys.size, 2);
});

test('options of reading that can not be meant are refused, with the words for it', async (t) => {
  const { folder, file, env } = await aSync(t);
  const csv = join(folder, 'lager.csv');
  writeFileSync(csv, 'externalId;title;price;Namn\n');
  const noMap = join(folder, 'no-map.json');
  writeFileSync(noMap, '["title"]');
  for (const [args, told] of [
    [[csv, '--map', 'title'], /write field=column/],
    [[csv, '--map', 'title=Namn', '--map', 'title=title'], /names title twice/],
    [[csv, '--map', 'titel=Namn'], /"titel" is not a field/],
    [[csv, '--map', 'title=Titel'], /no column "Titel"/],
    [[csv, '--map-file', noMap], /is no mapping/],
    [[csv, '--map-file', join(folder, 'missing.json')], /can't be read/],
    [[csv, '--encoding', 'klingon'], /"klingon" is not supported/],
    [[file, '--map', 'title=Namn'], /are for CSV/],
    [[file, '--header-line', '2'], /are for CSV/],
    [[csv, '--header-line', '0'], /must be a whole number above 0/],
    [[csv, '--skip-last', 'x'], /must be a whole number above 0/],
    [[csv, '--header-line', '7'], /The file is empty|no row that begins on line 7/],
  ] as const) {
    const { code, stderr } = await runItembridge(['sync', ...args], { env });
    t.is(code, 2, stderr);
    t.regex(stderr, told);
  }
});

test('what a CSV has nothing for is kept, --replace empties it and is another sync, and a line of JSON replaces', async (t) => {
  const leftOutFields = [{ field: 'description', lines: 1 }];
  const { service, folder, file, env } = await aSync(t, { counts: { total: 1, updated: 1, leftOutFields } });
  const csv = join(folder, 'lager.csv');
  writeFileSync(csv, 'externalId;title;price\nA;a;1\n');
  for (const [name, options, sent, told] of [
    [csv, [], 'keep', /\nKept, .*description \(1 line\)\. With --replace they are emptied\./],
    [csv, ['--dry-run'], 'keep', /\nWould be kept, .*description \(1 line\)\. With --replace/],
    [csv, ['--replace'], null, /\nEmptied, .*description \(1 line\)\.$/m],
    [csv, ['--replace', '--dry-run'], null, /\nWould be emptied, .*description \(1 line\)\.$/m],
    [file, [], null, /\nEmptied, /],
  ] as const) {
    Object.assign(service.behaviour.counts, { leftOut: sent ?? 'empty' });
    const { code, stdout } = await runItembridge(['sync', name, ...options], { env });
    t.is(code, 0);
    t.is(service.uploads.at(-1)?.url.searchParams.get('leftOut') ?? null, sent);
    t.regex(stdout, told);
  }
  t.is(new Set(service.uploads.map(({ headers }) => headers['idempotency-key'])).size, 5);
});

test('lines above the header and rows at the end are skipped by options, which the refusal names', async (t) => {
  const { service, folder, env } = await aSync(t, { counts: { total: 1, created: 1 } });
  const csv = join(folder, 'lager.csv');
  writeFileSync(csv, 'Lagerlista\n\nexternalId;title;price\nA;a;1\nSumma;1\n');
  const title = await runItembridge(['sync', csv], { env });
  t.regex(title.stderr, /Line 1 looks like a title; the header is on line 3: --header-line 3 reads it from there/);
  const totals = await runItembridge(['sync', csv, '--header-line', '3'], { env });
  t.regex(totals.stderr, /The last row, on line 5, looks like a row of totals: --skip-last 1 leaves it out/);
  t.is(service.uploads.length, 0);
  const { code } = await runItembridge(['sync', csv, '--header-line', '3', '--skip-last', '1'], { env });
  t.is(code, 0);
  t.is(service.uploads[0]?.lines.length, 4);
});

test('an exported file that did not hold all rows is sent, but not as a snapshot', async (t) => {
  const { service, folder, env } = await aSync(t, { counts: { total: 1, updated: 1 } });
  const csv = join(folder, 'export.csv');
  writeFileSync(csv, `Artikel-id;Titel;Pris\nA;a;1\n${cutLine.sv}\n`);
  for (const options of [['--snapshot'], ['--snapshot', '--dry-run']]) {
    const { code, stderr } = await runItembridge(['sync', csv, ...options], { env });
    t.is(code, 2);
    t.regex(stderr, /did not hold all rows \(line 3\), so it can't be a snapshot/);
  }
  t.is(service.uploads.length, 0);
  t.is((await runItembridge(['sync', csv], { env })).code, 0);
  t.is(service.uploads[0]?.lines.length, 2);
});
