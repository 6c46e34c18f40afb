import sharp from 'sharp';
import { accessibilityProblems } from './check-accessibility.ts';
import { button, heading, seen, type flowsIn } from './flow.ts';
import { aPartner, call, signIn } from './people.ts';
import type { RunningSystem } from './running-system.ts';

/** Far less than pages wait before they look by themselves. */
const soonMs = 8_000;

/** What pages show and ask by themselves, and how things are found. */
export function addLiveFlows(flow: ReturnType<typeof flowsIn>, started: () => RunningSystem): void {
  flow('an item that is pushed, goes live and gets another price is seen without a reload', async ({ t, page }) => {
    const partner = await aPartner(started().ready);
    await signIn(page, partner);
    await page.goto('/dashboard/items');
    await seen(heading(page, 'Items'));
    await page.evaluate('window.isStillHere = true');
    const soon = { timeout: soonMs };
    await partner.push('live-1', { title: 'A lively thing', autoPublishTradera: true });
    await page.getByRole('link', { name: 'A lively thing' }).waitFor(soon);
    await page
      .getByRole('row', { name: /A lively thing/ })
      .getByText('Auction live')
      .waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: 'A lively thing' }).click();
    await seen(heading(page, 'A lively thing'));
    await partner.push('live-1', { title: 'A lively thing', price: 777, autoPublishTradera: true });
    await page.getByText(/777/).first().waitFor(soon);
    t.true(await page.evaluate<boolean>('window.isStillHere'));
  });

  flow('without a network a page says so, and comes when the network is back', async ({ page }) => {
    await signIn(page, await aPartner(started().ready));
    await page.context().setOffline(true);
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
    await seen(heading(page, 'No internet connection'));
    await page.context().setOffline(false);
    await seen(heading(page, 'API keys'));
  });

  flow('a sold item says so once, and one without pictures offers no auction', async ({ t, page }) => {
    const { ready } = started();
    const partner = await aPartner(ready);
    await partner.push('sold-1', { title: 'A sold thing' });
    const sale = { externalId: 'sold-1', platform: 'service', amount: 100, status: 'paid' };
    const headers = { authorization: `Bearer ${partner.token}` };
    await call(`${ready.apiUrl}/partner/orders`, 'POST', { headers, body: sale });
    await partner.push('bare-1', { title: 'A bare thing', imageUrls: ['https://pictures.invalid/1.jpg'] });
    await signIn(page, partner);
    await page.goto('/dashboard/items/sold-1');
    await seen(heading(page, 'A sold thing'));
    t.deepEqual(await page.locator('.page-lead .badge').allInnerTexts(), ['Sold']);
    await page.goto('/dashboard/items/bare-1');
    await seen(page.getByText('Images failed').first());
    t.is(await button(page, /Publish|Take down/).count(), 0);
  });

  flow('the to-do list leads to exactly the items that it counts, each with its problem', async ({ t, page }) => {
    const partner = await aPartner(started().ready);
    const imageUrls = ['https://pictures.invalid/1.jpg'];
    for (const id of ['bare-1', 'bare-2']) await partner.push(id, { title: `Bare ${id}`, imageUrls });
    const domain = { domain: 'vehicles', registrationPlate: 'XYZ 99Z' };
    await partner.push('plate-1', { title: 'Odd plate', domain });
    await partner.push('well-1', { title: 'A thing that is well' });
    await signIn(page, partner);
    for (const [words, names] of [
      ['Images failed: 2 items', ['Bare bare-2', 'Bare bare-1']],
      ['Unknown registration plate: 1 item', ['Odd plate']],
    ] as const) {
      await page.goto('/dashboard');
      const row = page.getByRole('listitem').filter({ hasText: words });
      await row.getByRole('link', { name: 'View' }).click();
      await page.waitForURL(/problem=/);
      await seen(page.getByRole('link', { name: names[0], exact: true }));
      t.deepEqual(await page.locator('.items-words a').allInnerTexts(), [...names]);
      t.deepEqual(await accessibilityProblems(page), []);
    }
    await page.getByLabel('Problem', { exact: true }).selectOption('Any problem');
    await page.waitForURL(/problem=any/);
    await seen(page.getByRole('link', { name: 'Bare bare-1', exact: true }));
    await seen(page.getByRole('row', { name: /Odd plate/ }).getByText('Unknown registration plate'));
    t.is(await page.getByRole('link', { name: 'A thing that is well' }).count(), 0);
  });

  flow('a form begins at its first field, and a question at the button that changes nothing', async ({ t, page }) => {
    await signIn(page, await aPartner(started().ready));
    const focused = () =>
      page.evaluate<string>(
        '(document.activeElement.labels?.[0] ?? document.activeElement.closest("button"))?.textContent ?? ""',
      );
    const buttons = async () => page.getByRole('dialog').getByRole('button').allInnerTexts();
    await page.goto('/dashboard/orders');
    await button(page, 'Record a sale').first().click();
    await seen(page.getByRole('dialog'));
    t.is(await focused(), 'Item id');
    t.deepEqual((await buttons()).slice(-2), ['Cancel', 'Record a sale']);
    await page.goto('/dashboard/keys');
    await button(page, 'Revoke Test ERP').click();
    await seen(page.getByRole('dialog'));
    t.is(await focused(), 'Go back');
    t.deepEqual((await buttons()).slice(-2), ['Go back', 'Revoke']);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await seen(button(page, 'Revoke Test ERP'));
  });

  flow('the account-level secret is made by a click, not by a look at its page', async ({ t, page }) => {
    const partner = await aPartner(started().ready);
    const headers = { authorization: `Bearer ${partner.token}` };
    const isMade = async (): Promise<boolean> => {
      const url = `${started().ready.apiUrl}/partner/audit-log`;
      const { entries } = await call<{ entries: { kind: string }[] }>(url, 'GET', { headers });
      return entries.some(({ kind }) => kind === 'webhook_url_secret_generated');
    };
    await signIn(page, partner);
    await page.goto('/dashboard/webhooks/account');
    await seen(button(page, 'Show the secret'));
    t.deepEqual(await accessibilityProblems(page), []);
    t.false(await isMade());
    await button(page, 'Show the secret').click();
    await seen(page.getByText('Your signing secret'));
    t.true(await isMade());
  });

  flow('a reseller’s logo stands at the top of its page once it is saved, and goes again', async ({ t, page }) => {
    const reseller = started().ready.accounts.find(({ role }) => role === 'reseller');
    if (reseller?.role !== 'reseller') return t.fail('the demo accounts are missing');
    await signIn(page, reseller);
    await page.goto('/dashboard/reseller');
    const picture = sharp({ create: { width: 900, height: 300, channels: 3, background: '#095' } });
    const save = async (): Promise<void> => {
      await button(page, 'Save page').click();
      await seen(page.getByText('Page saved'));
    };
    await page.getByLabel('Logo').setInputFiles({ name: 'x.txt', mimeType: 'image/png', buffer: Buffer.from('x') });
    await seen(page.getByText('The file couldn’t be read'));
    const buffer = await picture.jpeg().toBuffer();
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer });
    await seen(page.getByRole('img', { name: 'Your logo' }));
    t.deepEqual(await accessibilityProblems(page), []);
    await save();
    const open = async () => page.goto(`/p/${reseller.slug}?lang=en`);
    await open();
    const logo = page.getByRole('img', { name: /^Logo of/ });
    const size =
      '(({ naturalWidth, width, height }) => [naturalWidth, width, height])(document.querySelector(".logo"))';
    t.deepEqual(await page.evaluate<number[]>(size), [384, 240, 64]);
    t.deepEqual(await accessibilityProblems(page), []);
    await page.goto('/dashboard/reseller');
    await button(page, 'Remove logo').click();
    await save();
    await open();
    await seen(heading(page, /^Become a member/));
    t.is(await logo.count(), 0);
  });

  flow('Ctrl-K finds an item by its number, and Enter opens it', async ({ t, page }) => {
    const partner = await aPartner(started().ready);
    await partner.push('GBG-5002', { title: 'Headlamp' });
    await signIn(page, partner);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /Search items/ });
    await seen(field);
    t.is(await page.evaluate<string>('document.activeElement.getAttribute("role")'), 'combobox');
    await page.keyboard.type('5002');
    await seen(page.getByRole('option', { name: /Headlamp/ }));
    t.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press('Enter');
    await seen(heading(page, 'Headlamp'));
    await button(page, /Search/).click();
    await page.getByRole('combobox', { name: /Search items/ }).fill('nothing like it');
    await seen(page.getByText('Nothing found for “nothing like it”.'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
}
