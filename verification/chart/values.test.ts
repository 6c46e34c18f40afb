import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { chart, fileOf, helm, render, template, valueFiles } from './support/helm.ts';

for (const values of valueFiles)
  test(`helm finds nothing to say against the chart with ${values}`, (t) => {
    const { isTaken, said } = helm('lint', chart, '--strict', '--values', fileOf(values));
    t.true(isTaken, said);
    t.regex(render(values), /^kind: Deployment$/m);
  });

test('a packed chart is whole: it renders what the folder renders', (t) => {
  const folder = temporaryFolder('chart');
  const { isTaken, said } = helm('package', chart, '--destination', folder);
  t.true(isTaken, said);
  const packed = join(folder, /itembridge-[\d.]+\.tgz/.exec(said)?.[0] ?? 'none');
  for (const values of valueFiles) t.is(render(values, packed), render(values));
});

/** What an operator may get wrong, and a word of what is then said. */
const refused: Readonly<Record<string, readonly [sets: readonly string[], said: RegExp]>> = {
  'no image': [['image.repository='], /image.*repository/s],
  'an address without TLS': [['settings.PUBLIC_URL=http://items.example.com'], /PUBLIC_URL/],
  'an address of Temporal without a port': [['settings.TEMPORAL_ADDRESS=temporal'], /TEMPORAL_ADDRESS/],
  'no word on proxies': [['settings.TRUSTED_PROXIES=null'], /TRUSTED_PROXIES/],
  'a misspelt setting': [['settings.MARKETPLACE_CALL_PER_DAY=5'], /'MARKETPLACE_CALL_PER_DAY' not allowed/],
  'a secret among the settings': [['settings.MARKETPLACE_APP_KEY=s3cret'], /'MARKETPLACE_APP_KEY' not allowed/],
  'a setting that the chart makes': [['settings.API_PORT=80'], /'API_PORT' not allowed/],
  'private networks open to partners': [
    ['settings.ALLOW_PRIVATE_NETWORKS=true'],
    /'ALLOW_PRIVATE_NETWORKS' not allowed/,
  ],
  'a misspelt value': [['ingres.enabled=true'], /'ingres' not allowed/],
  'no API': [['api.replicas=0'], /replicas/],
  'images on a disk without a claim': [['imagesClaim='], /imagesClaim/],
  'an unknown store of images': [['settings.IMAGE_STORE=ftp'], /IMAGE_STORE/],
  'an unknown queue': [['workers.all.queues={imgaes}'], /imgaes|queues/],
  'a queue that nobody serves': [
    ['workers.some.queues={items,images}'],
    /no kind of worker serves the queue enrichment/,
  ],
  'a loop that nobody runs': [['workers.some.loops={relay}'], /no kind of worker runs the loop resume-reconnected/],
  'a certificate outside the folders': [['settings.NODE_EXTRA_CA_CERTS=/etc/ssl/ca.crt'], /NODE_EXTRA_CA_CERTS/],
  'a file in a folder that is no Secret': [
    ['settings.TEMPORAL_API_KEY_FILE=/etc/itembridge/temporal/api_key'],
    /TEMPORAL_API_KEY_FILE names a file in the folder temporal/,
  ],
};
for (const [what, [sets, words]] of Object.entries(refused))
  test(`refused before anything is installed: ${what}`, (t) => {
    const { isTaken, said } = template('small', { sets });
    t.false(isTaken);
    t.regex(said, words);
  });
