import test from 'ava';
import { until } from '../support/until.ts';
import { callAdmin, untilMarketplaceStatus, withWorld, type TestAccount, type World } from '../support/world.ts';
import { readItem } from '../../features/items/read-item.ts';
import { retryItem } from '../../features/items/publish-item.ts';

// What a retry leads to, with workflows, marketplace and image server behind it.

let world: World;
withWorld(test, (started) => (world = started));

const retry = ({ scope }: TestAccount, externalId: string) => retryItem(world.context, scope, { externalId });
const untilWaiting = ({ scope }: TestAccount, externalId: string, waitingFor: string) =>
  until(`${externalId} waits for ${waitingFor}`, async () => {
    const { item } = await readItem(world.context, scope, externalId);
    return item.processing.waitingFor === waitingFor && item;
  });

// specification: retry-images-publication-change
test.serial('a draft whose image could not be had is published by a retry once the image is there', async (t) => {
  const account = await world.account();
  const fault = { path: 'bakljus-1', mode: 'status', status: 404 };
  await callAdmin(`${world.images.adminUrl}/faults`, 'POST', fault);
  await account.push('A1', { imageUrls: [`${world.images.url}/bakljus-1.jpg`] }, { autoPublish: true });
  await untilWaiting(account, 'A1', 'images');
  await callAdmin(`${world.images.adminUrl}/faults`, 'DELETE');
  await retry(account, 'A1');
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.is((await account.listings('A1'))[0]?.imageCount, 1);
});

// specification: retry-images-publication-change
test.serial('a wait of ten minutes ends with a retry, and the retry of what is up is refused', async (t) => {
  const account = await world.account();
  const results = { ownReference: 'retried-2', codes: ['ReachedMaximumActiveItemsThreshold'], times: 1 };
  await callAdmin(`${world.marketplace.adminUrl}/results`, 'POST', results);
  await account.push('retried-2', {}, { autoPublish: true });
  await untilWaiting(account, 'retried-2', 'marketplace_active_limit');
  await retry(account, 'retried-2');
  await untilMarketplaceStatus(account, 'retried-2', 'active');
  await until(
    'it is settled',
    async () => (await readItem(world.context, account.scope, 'retried-2')).item.processing.waitingFor === null,
  );
  await t.throwsAsync(retry(account, 'retried-2'), { message: /nothing failed and nothing waits/ });
});
