import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { accessibilityProblems } from './check-accessibility.ts';
import { button, seen, type flowsIn } from './flow.ts';
import { aPartner, call, signIn } from './people.ts';
import type { RunningSystem } from './running-system.ts';

/** Asked first, then done to each row that is chosen. */
async function doToChosen(page: Page, action: string): Promise<void> {
  await page.getByRole('region', { name: 'Actions for selected rows' }).getByRole('button', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

async function savedFile(page: Page): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
  return readFileSync(await file.path(), 'utf8');
}

/** Lists that are worked in: rows chosen, filters kept, files, all members; and the revenue of a period. */
export function addListFlows(flow: ReturnType<typeof flowsIn>, started: () => RunningSystem): void {
  flow('items are chosen and published together, and taken down', async ({ t, page }) => {
    const partner = await aPartner(started().ready);
    for (const id of ['L-1', 'L-2']) await partner.push(id, { title: `Listed ${id}` });
    await signIn(page, partner);
    await page.goto('/dashboard/items');
    await seen(page.getByRole('link', { name: 'Listed L-2' }));
    await page.getByLabel('Select all rows').check();
    await seen(page.getByText('2 selected'));
    t.deepEqual(await accessibilityProblems(page), []);
    await doToChosen(page, 'Publish');
    await seen(page.getByText('2 done'));
    for (const id of ['L-1', 'L-2'])
      await page
        .getByRole('row', { name: new RegExp(id) })
        .getByText('Auction live')
        .waitFor({ timeout: 60_000 });
    await page.getByLabel(/^Select .*L-1/).check();
    await doToChosen(page, 'Take down');
    await page.getByRole('row', { name: /L-1/ }).getByText('Auction live').waitFor({ state: 'detached' });
    await seen(page.getByRole('row', { name: /L-2/ }).getByText('Auction live'));
    const file = await savedFile(page);
    t.is(file.trim().split('\r\n').length, 3, file);
    t.regex(file, /L-1.*Listed L-1/);
  });

  flow('a filter is saved with a name, and the way back keeps the place in the list', async ({ t, page }) => {
    const partner = await aPartner(started().ready);
    for (let n = 0; n < 40; n += 1) await partner.push(`K-${n}`, { title: `Kept ${n}` });
    await signIn(page, partner);
    await page.goto('/dashboard/items?q=Kept');
    await button(page, 'Save filter').click();
    await page.getByRole('dialog').getByLabel('Name').fill('All kept');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.goto('/dashboard/items');
    await page.getByRole('link', { name: 'All kept' }).click();
    await page.waitForURL(/q=Kept/);
    const low = page.getByRole('link', { name: 'Kept 5', exact: true });
    await low.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    t.true(before > 0, 'the list is longer than the window');
    await low.click();
    await seen(page.getByRole('heading', { name: 'Kept 5', exact: true }));
    await page.goBack();
    await seen(page.getByRole('link', { name: 'Kept 5', exact: true }));
    await until('the place in the list', async () => Math.abs((await page.evaluate<number>('scrollY')) - before) < 5);
  });

  flow(
    'on a phone the headings that sort stand above the cards',
    async ({ t, page }) => {
      const partner = await aPartner(started().ready);
      for (const id of ['S-1', 'S-2']) await partner.push(id);
      await signIn(page, partner);
      await page.goto('/dashboard/items');
      await button(page, 'Updated').click();
      await page.waitForURL(/sort=-?updated/);
      await seen(page.getByRole('rowheader').first());
      t.deepEqual(await accessibilityProblems(page), []);
    },
    { device: 'phone' },
  );

  flow(
    'on a phone the ways to join are in the first screen, however much the reseller writes',
    async ({ t, page }) => {
      const { apiUrl, accounts } = started().ready;
      const reseller = accounts.find(({ role }) => role === 'reseller');
      if (reseller?.role !== 'reseller') return t.fail('the demo accounts are missing');
      const { email, password, slug } = reseller;
      const signedIn = await call<{ accessToken: string }>(`${apiUrl}/auth/login`, 'POST', {
        body: { email, password },
      });
      const headers = { authorization: `Bearer ${signedIn.accessToken}` };
      const { displayName } = await call<{ displayName: string }>(`${apiUrl}/business/my-profile`, 'GET', { headers });
      const body = { slug, displayName, description: 'Vi säljer åt dig. '.repeat(112).slice(0, 2_000) };
      await call(`${apiUrl}/business/my-profile`, 'PUT', { headers, body });
      const isInFirstScreen = async (selector: string): Promise<boolean> => {
        const box = await page.locator(selector).first().boundingBox();
        return box !== null && box.y + box.height <= (page.viewportSize()?.height ?? 0);
      };
      await page.goto(`/p/${slug}`);
      t.true(await isInFirstScreen('.ways a.button'));
      t.true(await isInFirstScreen('.ways a.button.second'));
      await signIn(page, await aPartner(started().ready));
      await page.goto(`/p/${slug}`);
      t.true(await isInFirstScreen('form[action*="/join"] button'));
    },
    { device: 'phone' },
  );

  flow('attempts are chosen and their events sent again', async ({ t, page }) => {
    const { ready } = started();
    const partner = await aPartner(ready);
    const headers = { authorization: `Bearer ${partner.token}` };
    const url = `${ready.simulators.webhookReceiver.url}/hooks/again-${randomUUID()}`;
    await call(`${ready.apiUrl}/integration/webhooks`, 'POST', {
      headers,
      body: { url, eventTypes: ['item.created'] },
    });
    await partner.push('W-1');
    await signIn(page, partner);
    await page.goto('/dashboard/deliveries');
    await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click();
    await page.waitForURL(/sort=created/);
    await page.getByLabel(/^Select item.created W-1/).check();
    await doToChosen(page, 'Resend');
    await seen(page.getByText('1 done'));
    await seen(page.getByLabel(/^Select item.created W-1/).nth(1));
    t.regex(await savedFile(page), /item\.created/);
    t.deepEqual(await accessibilityProblems(page), []);
  });

  flow('a reseller sees what its webhooks were told about one of its members', async ({ t, page }) => {
    const { accounts, apiUrl, simulators } = started().ready;
    const reseller = accounts.find(({ role }) => role === 'reseller');
    const member = accounts.find(({ role }) => role === 'member');
    if (reseller === undefined || member?.role !== 'member') return t.fail('the demo accounts are missing');
    const url = `${simulators.webhookReceiver.url}/hooks/members-${randomUUID()}`;
    const headers = { 'x-api-key': reseller.apiKey };
    const body = { url, eventTypes: ['item.created'], scope: 'members' };
    await call(`${apiUrl}/integration/v1/webhooks`, 'POST', { headers, body });
    await call(`${apiUrl}/integration/v1/items/TOLD-1`, 'PUT', {
      headers: { ...headers, 'x-partner-account': member.externalId },
      body: { title: 'Told about', price: 100, imageUrls: [] },
    });
    await signIn(page, reseller);
    await page.goto('/dashboard/deliveries');
    await page.getByLabel('Show', { exact: true }).selectOption('All members');
    const choice = page.getByLabel('Member', { exact: true });
    // A reference that begins another one acts for nobody until it is chosen.
    await choice.fill(member.externalId);
    await page.locator(`datalist option[value="${member.externalId}"]`).waitFor({ state: 'attached' });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    t.false(page.url().includes('member='));
    await choice.press('Enter');
    await page.waitForURL(/member=/);
    const row = page.getByRole('row', { name: /TOLD-1/ }).first();
    await seen(row.getByText(member.externalId));
    t.deepEqual(await accessibilityProblems(page), []);
    await row.getByRole('link', { name: 'TOLD-1' }).click();
    await seen(page.getByText('You are acting for member'));
  });

  flow('revenue is that of the period that is chosen, with its difference from the one before', async ({ t, page }) => {
    const { ready } = started();
    const partner = await aPartner(ready);
    await partner.push('R-1');
    const headers = { authorization: `Bearer ${partner.token}` };
    const sale = { externalId: 'R-1', platform: 'service', amount: 250, status: 'paid' };
    const { id } = await call<{ id: string }>(`${ready.apiUrl}/partner/orders`, 'POST', { headers, body: sale });
    await call(`${ready.apiUrl}/partner/orders/${id}`, 'PATCH', { headers, body: { status: 'completed' } });
    await signIn(page, partner);
    await page.goto('/dashboard');
    await page.getByLabel('Period').selectOption('Last 30 days');
    await page.waitForURL(/period=last_30_days/);
    await page.getByText('View as a table').click();
    const rows = page.getByRole('table', { name: 'Revenue' }).getByRole('row');
    await until('a row for each day', async () => (await rows.count()) === 31);
    await seen(page.getByText('+SEK 250'));
    t.deepEqual(await accessibilityProblems(page), []);
  });

  flow('a reseller searches and sorts its members', async ({ t, page }) => {
    const { accounts } = started().ready;
    const reseller = accounts.find(({ role }) => role === 'reseller');
    const member = accounts.find((one) => one.role === 'member');
    if (reseller === undefined || member?.role !== 'member') return t.fail('the demo accounts are missing');
    await signIn(page, reseller);
    await page.goto('/dashboard/reseller?sort=sales');
    await seen(page.getByRole('columnheader', { name: 'Sales, 30 days' }));
    t.deepEqual(await accessibilityProblems(page), []);
    await page.getByLabel('Search name or reference').fill(member.externalId.slice(1, -1));
    await seen(page.getByText(member.externalId).first());
    await page.getByLabel('Search name or reference').fill('no such member');
    await seen(page.getByText('No members match your search'));
    t.regex(page.url(), /sort=sales/);
  });

  flow('a reseller sees the items of all its members in one list', async ({ t, page }) => {
    const { accounts } = started().ready;
    const reseller = accounts.find(({ role }) => role === 'reseller');
    const member = accounts.find(({ role }) => role === 'member');
    if (reseller === undefined || member?.role !== 'member') return t.fail('the demo accounts are missing');
    const items = `${started().ready.apiUrl}/integration/v1/items`;
    const headers = { 'x-api-key': reseller.apiKey, 'x-partner-account': member.externalId };
    const push = async (externalId: string, title: string) =>
      call(`${items}/${externalId}`, 'PUT', {
        headers,
        body: { title, price: 100, imageUrls: ['https://pictures.invalid/1.jpg'] },
      });
    await push('MEMBERS-1', 'Of a member');
    await signIn(page, reseller);
    await page.goto('/dashboard/items');
    await page.getByLabel('Show', { exact: true }).selectOption('All members');
    const row = page.getByRole('row', { name: /Of a member/ });
    await seen(row.getByText(member.externalId));
    await push('MEMBERS-2', 'Pushed meanwhile');
    await page.getByRole('row', { name: /Pushed meanwhile/ }).waitFor({ timeout: 8_000 });
    t.deepEqual(await accessibilityProblems(page), []);
    await row.getByRole('link', { name: 'Of a member' }).click();
    await seen(page.getByText('You are acting for member'));
    // The overview has the numbers of all members, and leads to the same list.
    await page.goto('/dashboard');
    await page.getByLabel('Show', { exact: true }).selectOption('All members');
    await seen(page.getByText('Inventory covers all members', { exact: false }));
    t.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('link', { name: /^Total items/ }).click();
    await seen(page.getByRole('row', { name: /Of a member/ }));
    await until('the images of a member have failed', async () => {
      const failed = await call<{ items: unknown[] }>(`${items}?problem=images`, 'GET', { headers });
      return failed.items.length > 0;
    });
    await page.goto('/dashboard?members=all');
    const trouble = page.getByRole('listitem').filter({ hasText: 'Some members have items with problems' });
    await trouble.getByRole('link', { name: 'View' }).click();
    await page.waitForURL(/members=all.*problem=any/);
    await seen(page.getByRole('row', { name: /Of a member/ }).getByText('Images failed'));
    t.deepEqual(await accessibilityProblems(page), []);
    // The log of what was done for members has their names, too.
    await page.goto('/dashboard/audit-log?view=acting');
    await seen(page.getByText(`(${member.externalId})`).first());
  });

  flow('a reseller handles an order of a member that shares its orders', async ({ t, page }) => {
    const { accounts, apiUrl } = started().ready;
    const reseller = accounts.find(({ role }) => role === 'reseller');
    const member = accounts.find(({ role }) => role === 'member');
    if (reseller === undefined || member?.role !== 'member') return t.fail('the demo accounts are missing');
    const { email, password } = member;
    const { accessToken } = await call<{ accessToken: string }>(`${apiUrl}/auth/login`, 'POST', {
      body: { email, password },
    });
    const headers = { authorization: `Bearer ${accessToken}` };
    const share = async (sharesOrders: boolean) =>
      call(`${apiUrl}/business/my-deal`, 'PATCH', { headers, body: { sharesOrders } });
    await share(true);
    await call(`${apiUrl}/integration/v1/items/SHARED-1`, 'PUT', {
      headers: { 'x-api-key': reseller.apiKey, 'x-partner-account': member.externalId },
      body: { title: 'Sold by a member', price: 100, imageUrls: [] },
    });
    const sale = { externalId: 'SHARED-1', platform: 'service', amount: 100, status: 'pending' };
    await call(`${apiUrl}/partner/orders`, 'POST', { headers, body: sale });
    await signIn(page, reseller);
    await page.goto('/dashboard/orders?members=all');
    await page.getByRole('link', { name: 'Show the order for SHARED-1' }).click();
    await seen(page.getByText('You are acting for member'));
    t.is(await button(page, 'Record a sale').count(), 0);
    t.deepEqual(await accessibilityProblems(page), []);
    await button(page, 'Mark as paid').click();
    await page
      .getByRole('dialog', { name: 'Has the order been paid?' })
      .getByRole('button', { name: 'Mark as paid' })
      .click();
    await seen(page.getByRole('dialog').getByText('Paid').first());
    await share(false);
    await page.goto(`/dashboard/orders?member=${member.externalId}`);
    await seen(page.getByText('The member doesn’t share their orders with you', { exact: false }));
  });
}
