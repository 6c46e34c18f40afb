import test from 'ava';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);

async function sync(account: TestAccount, lines: readonly unknown[]) {
  const { id } = (await upload(world(), account, lines)).body;
  await playBulk(chunkDependencies(world().store), id);
  const get = (path: string) => world().call('GET', path, { apiKey: account.apiKey });
  const { body } = await get(`${bulkPath}/${id}`);
  return { counts: body as object, found: errorsOf(await get(`${bulkPath}/${id}/errors`)) };
}

const check = async (account: TestAccount, lines: readonly unknown[]) =>
  (await upload(world(), account, lines, { query: '?validateOnly=true' })).body;

/** Severity, line and the fields that are named, of each. */
const told = (found: readonly Record<string, unknown>[]) =>
  found.map(({ severity, line, details = [] }) => [
    severity,
    line,
    (details as { field: string }[]).map((of) => of.field),
  ]);

/** The first has three typing errors, the third a price that the marketplace rounds. */
const mistaken = [
  aLine('W1', {
    titel: 'Fel',
    autoPublishTraddera: true,
    domain: { domain: 'auto_parts', part: { oemNummer: '123' } },
  }),
  aLine('W2'),
  aLine('W3', { price: 99.5 }),
  aLine('W4', { title: '' }),
  aLine(' W5'),
];
const findings = [
  ['error', 4, ['title']],
  ['warning', 1, ['titel', 'autoPublishTraddera', 'domain.part.oemNummer']],
  ['warning', 3, ['price']],
  ['warning', 5, ['externalId']],
];

// specification: lines-are-warned-of
test('lines are warned of as by a PUT: counted, and listed after those that failed', async (t) => {
  const { counts, found } = await sync(await world().account(), mistaken);
  t.like(counts, { state: 'completed', created: 4, failed: 1, warned: 3, repeated: 0 });
  t.deepEqual(told(found), findings);
  t.deepEqual(found[2], {
    line: 3,
    externalId: 'W3',
    severity: 'warning',
    status: 202,
    error: 'The line was taken, with a warning',
    details: [
      {
        field: 'price',
        code: 'whole_kronor',
        params: { kronor: 100 },
        message: 'is sent to the marketplace as 100 SEK: it takes whole kronor only, rounded half up',
      },
    ],
  });
  t.like(found[0], { severity: 'error', status: 422, code: 'VALIDATION_FAILED' });
});

// specification: lines-are-warned-of
test('a dry run warns of what the content tells', async (t) => {
  const body = await check(await world().account(), mistaken);
  t.like(body, { total: 5, failed: 1, warned: 3, repeated: 0 });
  t.deepEqual(told(body.errors), findings);
});

test('of a hundred errors and more a dry run still shows the first warnings', async (t) => {
  const lines = Array.from({ length: 150 }, (_, n) => aLine(`A${n}`, { price: 0 }));
  const body = await check(await world().account(), [...lines, aLine('W', { price: 1.5 })]);
  t.like(body, { failed: 150, warned: 1 });
  t.deepEqual(told(body.errors).at(-1), ['warning', 151, ['price']]);
  t.is(body.errors.length, 101);
});

// specification: an-id-that-is
test('an id that is in a file twice is counted and named with both lines, in whichever chunks they are; the last counts', async (t) => {
  const account = await world().account();
  const many = Array.from({ length: 205 }, (_, n) => aLine(`A${n}`));
  const lines = [aLine('twice', { price: 1499 }), ...many, aLine('twice', { price: 10 }), aLine('A0', { price: 0 })];
  const repeats = (line: number) => [
    {
      field: 'externalId',
      code: 'repeated_id',
      params: { line },
      message: `is in line ${line} too: the last line of an id counts`,
    },
  ];
  const dryRun = await check(account, lines);
  const { counts, found } = await sync(account, lines);
  for (const about of [dryRun, counts]) t.like(about, { total: 208, failed: 1, warned: 1, repeated: 2 });
  for (const errors of [dryRun.errors, found]) {
    t.like(errors, [
      { severity: 'error', line: 208 },
      { severity: 'warning', line: 207, externalId: 'twice', details: repeats(1) },
    ]);
  }
  const item = await world().call('GET', '/integration/v1/items/twice', { apiKey: account.apiKey });
  t.is(item.body.price, 10);
});

// specification: an-id-that-is
test('the same id of two members is no repetition', async (t) => {
  const reseller = await world().reseller();
  const members = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const { counts } = await sync(reseller, [
    aLine('A'),
    ...members.map(({ reference }) => aLine('A', { account: reference })),
  ]);
  t.like(counts, { created: 3, warned: 0, repeated: 0 });
});

// specification: lines-are-warned-of
test('a line to be published without a marketplace connection is warned of', async (t) => {
  const { counts, found } = await sync(await world().account(), [aLine('A', { autoPublishTradera: true }), aLine('B')]);
  t.like(counts, { created: 2, warned: 1 });
  t.deepEqual(told(found), [['warning', 1, ['autoPublishTradera']]]);
});

test('a line in which a name stands twice is warned of, and one that is no JSON says where', async (t) => {
  const { apiKey } = await world().account();
  const line = JSON.stringify(aLine('W1')).replace('"price"', '"price":1,"price"');
  const { body } = await world().call('POST', `${bulkPath}?validateOnly=true`, {
    apiKey,
    raw: `${line}\n{"externalId":"W2",}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const [bad, warned] = body.errors;
  t.regex(bad.error, /^The line is not well-formed JSON: column 20: /);
  t.deepEqual(said(warned.details), [{ field: 'price', message: 'stands there more than once: the last one counts' }]);
});
