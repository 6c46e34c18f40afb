import test from 'ava';
import { FileProblem } from '../../client/files/file-findings.ts';
import { englishFindings, tellFinding } from '../../client/files/english.ts';
import { aRichItem, exportOf, furnish, sendBack, storedItems } from '../bulk-syncs/support/send-back.ts';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);

const nasty = [
  '0615',
  '7312345678901',
  '=1+1',
  "'A",
  '-2',
  'A;,"1"',
  ' x ',
  '1E5',
  'MAR1',
  'å–1',
  'x;=1',
  'true',
  'A\n1',
];

for (const language of ['sv', 'en'])
  test(`the file of items, sent back as it is, changes nothing and creates nothing (${language})`, async (t) => {
    const account = await world().account();
    await furnish(world(), account, nasty);
    const before = await storedItems(world(), account);
    const { bulk, errors, said } = await sendBack(world(), account, await exportOf(world(), account, { language }));
    t.like(bulk, { total: nasty.length + 1, unchanged: nasty.length + 1, created: 0, updated: 0, failed: 0 });
    t.true(bulk.leftOutFields.length > 5);
    t.deepEqual(await storedItems(world(), account), before);
    t.true(errors.every(({ severity }) => severity === 'warning'));
    t.regex(said[0] ?? '', /^What the service knows by itself is not read: Status \| (Auktion|Auction)/);
    t.regex(said.at(-1) ?? '', /the apostrophe that keeps a spreadsheet from changing the text is not part of it/);
  });

test('columns that were removed, moved or added are no trouble, and a price that was changed is one change', async (t) => {
  const account = await world().account();
  await furnish(world(), account, nasty);
  const rows = (await exportOf(world(), account, { language: 'sv' })).trim().split('\r\n');
  // The id with a line break takes two lines of text.
  const plain = rows.filter((row) => !/\n/.test(row));
  const moved = plain.map((row) => {
    const [id = '', title = '', domain = '', price = ''] = row.split(';');
    return row.includes('"') ? '' : [price, id, title, domain, 'min anteckning'].join(';');
  });
  const header = 'Pris;Artikel-id;Titel;Kategori;Anteckning';
  const changed = [header, ...moved.slice(1)].join('\n').replace("1249,5;'0615", "1300;'0615");
  const { bulk } = await sendBack(world(), account, changed);
  t.like(bulk, { created: 0, updated: 1, failed: 0 });
  const { body } = await world().call('GET', '/integration/v1/items/0615?view=full', { apiKey: account.apiKey });
  t.like(body, { price: 1300, description: 'Fin.', imageUrls: aRichItem.imageUrls, shippingCost: 79 });
});

test('an improved text, a price that relisting has lowered and archived items stay as they are', async (t) => {
  const account = await world().account();
  await furnish(world(), account, nasty);
  const items = world().store.connection.collection('items');
  const improved = { title: 'Förbättrad', description: 'Bättre.' };
  const text = { of: { title: '0615', description: 'Fin.' }, improved, unansweredAtRevision: null };
  await items.updateOne({ accountId: account.id, externalId: '0615' }, { $set: { 'enrichment.text': text } });
  await items.updateOne({ accountId: account.id, externalId: 'MAR1' }, { $set: { 'relisted.loweredOre': 10_000 } });
  const archived = { serviceStatus: 'archived', current: false };
  await items.updateOne({ accountId: account.id, externalId: 'plain' }, { $set: archived });
  const shown = await world().call('GET', '/integration/v1/items/0615?view=full', { apiKey: account.apiKey });
  t.is(shown.body.title, 'Förbättrad');
  const before = await storedItems(world(), account);
  const { bulk, said } = await sendBack(world(), account, await exportOf(world(), account, { language: 'sv' }));
  t.like(bulk, { total: nasty.length, unchanged: nasty.length });
  t.deepEqual(await storedItems(world(), account), before);
  t.true(said.some((one) => /^The row on line \d+ with archived items: left out/.test(one)));
});

test('orders and deliveries are named for what they are, and not taken for items', async (t) => {
  const account = await world().account();
  for (const language of ['sv', 'en'])
    for (const [list, name] of [
      ['orders', 'orders'],
      ['webhook-deliveries', 'webhook deliveries'],
    ] as const) {
      const content = await exportOf(world(), account, { list, language });
      const error = await t.throwsAsync(sendBack(world(), account, content), { instanceOf: FileProblem });
      t.is(
        tellFinding(englishFindings, error.finding),
        `This is a file of ${name} that was exported here. It can't be imported: only files of items can.`,
      );
      // Without the first column, and with a mapping.
      const rows = content.split('\r\n').map((row) => row.replace(/^[^;,]*[;,]/, ''));
      await t.throwsAsync(sendBack(world(), account, rows.join('\r\n')), { instanceOf: FileProblem });
    }
});

test('the last line of a file that could not hold all rows is no item', async (t) => {
  const account = await world().account();
  const cut = 'Filen slutar här: så många rader får plats. Välj en kortare period eller fler filter.';
  const header = 'Artikel-id;Titel;Kategori;Pris;Status;Auktion;Adress;Ändrad';
  const { bulk, said } = await sendBack(world(), account, `${header}\r\nA;a;;1;Utkast;;;\r\n${cut}\r\n`);
  t.like(bulk, { total: 1, created: 1 });
  t.true(said.includes('The exported file did not hold all rows (line 3): what is missing is not changed.'));
});
