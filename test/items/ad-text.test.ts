import test from 'ava';

import { adHtml, adText } from '../../features/listings/rules/ad-text.ts';
import type { ItemDomain } from '../../features/items/rules/item-content.ts';

const autoPart = (attributes: Record<string, unknown>): ItemDomain => ({ slug: 'auto_parts', attributes });

// specification: header-oem-skick-passar
test('a complete auto part gets the block in the order of the specification, then its condition note', (t) => {
  const domain = autoPart({
    vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2008 },
    part: { name: 'Bromsskiva', oemNumber: '1K0 615 301 AA' },
    conditionGrade: 'A*',
    conditionNote: 'Liten repa på kanten.',
  });
  t.is(
    adText('Bra skick.', domain),
    [
      'Bra skick.',
      '',
      '--- Teknisk specifikation ---',
      'OEM: 1K0 615 301 AA',
      'Skick: A*',
      'Passar: Volvo V70 (2008)',
      '',
      'Liten repa på kanten.',
    ].join('\n'),
  );
});

for (const [title, attributes, block] of [
  ['only an OEM number', { part: { oemNumber: 'X1' } }, '\nOEM: X1'],
  ['only a grade', { conditionGrade: 'C' }, '\nSkick: C'],
  ['a manufacturer', { vehicle: { manufacturer: 'Saab' } }, '\nPassar: Saab'],
  ['a model and a year', { vehicle: { model: '900', year: 1987 } }, '\nPassar: 900 (1987)'],
  ['blank texts beside a grade', { part: { oemNumber: '  ' }, conditionGrade: 'B' }, '\nSkick: B'],
  ['line ends in a value', { part: { oemNumber: 'A\nSkick: A*' } }, '\nOEM: A Skick: A*'],
] as const) {
  // specification: lines-and-header-only
  test(`the block has lines only for what there is: ${title}`, (t) => {
    t.is(adText('', autoPart(attributes)), `--- Teknisk specifikation ---${block}`);
  });
}

for (const [title, domain] of [
  ['no domain', null],
  ['another domain', { slug: 'electronics', attributes: { serialNumber: 'X' } }],
  ['an auto part without values', autoPart({})],
  ['a part name alone', autoPart({ part: { name: 'Bromsskiva' } })],
  ['a year alone', autoPart({ vehicle: { year: 2008 } })],
  ['a null note', autoPart({ conditionNote: null })],
] as const) {
  // specification: lines-and-header-only
  test(`there is no block for ${title}`, (t) => {
    t.is(adText('Text', domain), 'Text');
  });
}

// specification: conditionnote-nullable-appended-to, conditionnote-appended
test('a condition note alone is appended without a block', (t) => {
  t.is(adText('Text', autoPart({ conditionNote: 'Repa.' })), 'Text\n\nRepa.');
});

test('the HTML is escaped and keeps its lines', (t) => {
  const domain = autoPart({ part: { oemNumber: '<b>&"\'' } });
  t.is(
    adHtml('a < b\r\nc\rd', domain),
    'a &lt; b<br>c<br>d<br><br>--- Teknisk specifikation ---<br>OEM: &lt;b&gt;&amp;&quot;&#39;',
  );
});

test('an empty description without a domain stays empty', (t) => {
  t.is(adHtml('', null), '');
});
