import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import type { Browser } from 'playwright-core';
import { marketplaceIn } from '../embedded/support/started-system.ts';
import { until } from '../support/until.ts';
import { accessibilityProblems } from './support/check-accessibility.ts';
import { startChromium } from './support/chromium.ts';
import { button, flowsIn, heading, seen } from './support/flow.ts';
import { addListFlows } from './support/list-flows.ts';
import { addLiveFlows } from './support/live-flows.ts';
import { aPartner, aPerson, call, signIn } from './support/people.ts';
import { addResellerFlows } from './support/reseller-flows.ts';
import { startRunningSystem, type RunningSystem } from './support/running-system.ts';

// What people do, in a real browser against the whole system. Things are found by their roles and names, as by those who see or hear them.

let system: RunningSystem;
let browser: Browser;
test.before(async (t) => {
  t.timeout(400_000);
  // One after the other: when the first fails, nothing is left running that would keep this process from ending.
  system = await startRunningSystem();
  browser = await startChromium();
});
test.after.always(async () => {
  await browser?.close();
  await system?.stop();
});

const flow = flowsIn(() => ({ system, browser }));
addLiveFlows(flow, () => system);
addListFlows(flow, () => system);
addResellerFlows(flow, () => system);

flow('signing in and reading on needs no mouse', async ({ t, page }) => {
  const { email, password } = await aPartner(system.ready);
  await page.goto('/dashboard');
  await seen(heading(page, 'Sign in'));
  const press = (key: string) => page.keyboard.press(key);
  const focused = () =>
    page.evaluate<string>('document.activeElement?.getAttribute("name") ?? document.activeElement?.textContent ?? ""');
  for (let tabs = 0; (await focused()) !== 'email' && tabs < 20; tabs += 1) await press('Tab');
  await page.keyboard.type(email);
  await press('Tab');
  t.is(await focused(), 'password');
  await page.keyboard.type(password);
  await press('Enter');
  await seen(heading(page, 'Overview'));
  await page.evaluate('document.activeElement.blur()');
  await press('Tab');
  t.regex(await focused(), /Skip to content/);
  await press('Enter');
  t.is(await page.evaluate<string>('document.activeElement.id'), 'content');
});

flow(
  'a wrong password is said, and the right one lets in',
  async ({ page }) => {
    const { email, password } = await aPartner(system.ready);
    await page.goto('/dashboard/items');
    await page.getByLabel('E-postadress').fill(email);
    await page.getByLabel('Lösenord').fill('inte rätt');
    await button(page, 'Logga in').click();
    await seen(page.getByText('Fel e-postadress eller lösenord'));
    await page.getByLabel('Lösenord').fill(password);
    await button(page, 'Logga in').click();
    await seen(heading(page, 'Artiklar'));
  },
  { language: 'sv' },
);

flow('somebody new makes an account and is led to the first steps', async ({ page }) => {
  const { name, email, password } = aPerson();
  await page.goto('/dashboard/register');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Create an account').click();
  await seen(heading(page, 'Overview'));
});

flow('whoever signs out is out, also by the way back', async ({ page }) => {
  await signIn(page, await aPartner(system.ready));
  await page.goto('/dashboard/keys');
  await seen(heading(page, 'API keys'));
  await button(page, 'Sign out').click();
  await seen(heading(page, 'Sign in'));
  await page.goto('/dashboard/keys');
  await seen(heading(page, 'Sign in'));
});

flow('the password is changed, and the session of another browser ends with it', async ({ t, page }) => {
  const partner = await aPartner(system.ready);
  await signIn(page, partner);
  await page.goto('/dashboard/security');
  await seen(page.getByText('This one'));
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password').fill('three words in a row');
  await button(page, 'Change password').click();
  await seen(page.getByText('Wrong password.'));
  await page.getByLabel('Current password').fill(partner.password);
  await button(page, 'Change password').click();
  await seen(page.getByText('Password changed'));
  const headers = { authorization: `Bearer ${partner.token}` };
  t.is((await fetch(`${system.ready.apiUrl}/auth/me`, { headers })).status, 401);
});

flow(
  'who forgot the password is sent a link, chooses another one by it, and signs in',
  async ({ t, page }) => {
    const { email } = await aPartner(system.ready);
    await page.goto('/dashboard/sign-in');
    await page.getByRole('link', { name: 'Glömt lösenordet?' }).click();
    await page.getByLabel('E-postadress').fill(email);
    await button(page, 'Skicka länken').click();
    await seen(page.getByText('Titta i din inkorg'));
    t.deepEqual(await accessibilityProblems(page), []);
    await page.goto(await linkIn(email, 'Välj ett nytt lösenord'));
    await page.getByLabel('Nytt lösenord').fill('tre nya ord på rad');
    t.false(page.url().includes('token'));
    await button(page, 'Spara lösenordet').click();
    await seen(page.getByText('Lösenordet är bytt'));
    t.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('link', { name: 'Till inloggningen' }).click();
    await page.getByLabel('E-postadress').fill(email);
    await page.getByLabel('Lösenord').fill('tre nya ord på rad');
    await button(page, 'Logga in').click();
    await seen(heading(page, 'Översikt'));
  },
  { language: 'sv' },
);

/** The link of the mail with this subject, once it has come. */
async function linkIn(email: string, subject: string): Promise<string> {
  const { adminUrl } = system.ready.simulators.mail;
  const url = `${adminUrl}/mails?to=${encodeURIComponent(email)}`;
  return until(`a mail "${subject}"`, async () => {
    const { mails } = await call<{ mails: { subject: string; text: string }[] }>(url);
    return /https?:\S+/.exec(mails.find((mail) => mail.subject === subject)?.text ?? '')?.[0];
  });
}

flow('a key is shown once, works, and is refused once it is revoked', async ({ t, page }) => {
  await signIn(page, await aPartner(system.ready));
  await page.goto('/dashboard/keys');
  await button(page, 'Create key').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Shop floor');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByLabel('API key', { exact: true });
  await seen(shown);
  const apiKey = await shown.inputValue().catch(() => shown.textContent());
  const status = async (): Promise<number> =>
    (await fetch(`${system.ready.apiUrl}/integration/v1/items`, { headers: { 'x-api-key': apiKey ?? '' } })).status;
  t.is(await status(), 200);
  await page.goto('/dashboard/keys');
  await button(page, 'Revoke Shop floor').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await seen(page.getByText('Key revoked'));
  t.is(await status(), 401);
});

flow('a webhook is made, tried and its event sent again', async ({ t, page }) => {
  const partner = await aPartner(system.ready);
  await signIn(page, partner);
  const address = `${system.ready.simulators.webhookReceiver.url}/hooks/browser-${randomUUID()}`;
  await page.goto('/dashboard/webhooks');
  await button(page, 'New webhook').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(address);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await seen(page.getByText('Webhook created'));
  await page.getByRole('link', { name: 'Send a test event' }).click();
  await button(page, 'Send test event').click();
  await seen(page.getByText('The receiver accepted it'));
  const received = async (): Promise<number> => {
    const url = `${system.ready.apiUrl}/integration/webhook-deliveries`;
    const headers = { authorization: `Bearer ${partner.token}` };
    const { deliveries } = await call<{ deliveries: { status: string }[] }>(url, 'GET', { headers });
    return deliveries.filter(({ status }) => status === 'success').length;
  };
  t.is(await received(), 1);
  await page.goto('/dashboard/webhooks');
  await seen(page.getByRole('cell', { name: '100% of 1' }));
  await page.goto('/dashboard/deliveries');
  await page.getByRole('table').getByRole('link').first().click();
  await seen(page.getByRole('region', { name: 'Request headers' }).getByText(/X-Service-Signature: sha256=/));
  await button(page, 'Resend').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await seen(page.getByText('The receiver accepted it'));
  t.is(await received(), 2);
});

flow('Pro is bought on the page of the payment processor, which leads back to the thanks', async ({ page }) => {
  await signIn(page, await aPartner(system.ready));
  await page.goto('/dashboard/subscription');
  await button(page, 'Upgrade to Pro').click();
  await button(page, 'Pay').click();
  await page.waitForURL(/\/dashboard\?upgraded=true/);
  await seen(page.getByText('You’re on Pro'));
  await page.goto('/dashboard/subscription');
  await seen(page.getByText('Pro is active'));
});

flow('whoever turns back at the payment processor has bought nothing', async ({ page }) => {
  await signIn(page, await aPartner(system.ready));
  await page.goto('/dashboard/subscription');
  await button(page, 'Upgrade to Pro').click();
  await button(page, 'Cancel').click();
  await page.waitForURL(/\/dashboard/);
  await page.goto('/dashboard/subscription');
  await seen(page.getByText('0 of 1,000,000'));
  await seen(button(page, 'Upgrade to Pro'));
});

flow('an item that is stuck says why, is found in the list, and goes on when it is tried again', async ({ page }) => {
  const partner = await aPartner(system.ready);
  await signIn(page, partner);
  const { adminUrl } = marketplaceIn(system.ready);
  const fault = { method: 'POST', path: '^/v4/listings/items$', mode: 'status', status: 503 };
  const { id } = await call<{ id: string }>(`${adminUrl}/faults`, 'POST', { body: fault });
  try {
    await partner.push('stuck-1', { title: 'A stuck thing', autoPublishTradera: true });
    await page.goto('/dashboard/items');
    await page.getByRole('link', { name: 'A stuck thing' }).click();
    await seen(heading(page, 'A stuck thing'));
    await seen(button(page, 'Try again'));
    // The history may say it as well by now.
    await seen(page.getByText('Waiting for the marketplace to respond').first());
  } finally {
    await call(`${adminUrl}/faults/${id}`, 'DELETE');
  }
  await button(page, 'Try again').click();
  await seen(page.getByText('Retrying').first());
  await seen(page.getByRole('link', { name: 'The auction' }));
  await button(page, 'Change quantity').click();
  await page.getByLabel('Quantity left').fill('3');
  await page.getByRole('dialog').getByRole('button', { name: 'Change quantity' }).click();
  await seen(page.getByText('Quantity changed').first());
});

flow('a reseller sees its members and their items', async ({ t, page }) => {
  const { accounts } = system.ready;
  const [reseller, member] = [
    accounts.find(({ role }) => role === 'reseller'),
    accounts.find(({ role }) => role === 'member'),
  ];
  if (reseller === undefined || member?.role !== 'member') return t.fail('the demo accounts are missing');
  await signIn(page, reseller);
  await page.goto('/dashboard/reseller');
  await seen(page.getByText(member.externalId).first());
  await page
    .getByRole('link', { name: /^Items for/ })
    .first()
    .click();
  await seen(heading(page, 'Items'));
  t.regex(page.url(), /member=/);
  await seen(page.getByText('You are acting for member'));
  await button(page, 'Back to my own account').click();
  await page.getByText('You are acting for member').waitFor({ state: 'hidden' });
  const whose = page.getByLabel('View as');
  await whose.fill(member.externalId);
  await whose.press('Enter');
  await seen(page.getByText('You are acting for member'));
  t.is(new URL(page.url()).searchParams.get('member'), member.externalId);
  t.deepEqual(await accessibilityProblems(page), []);
});

flow('a bulk sync shows how far it has come, and what failed', async ({ t, page }) => {
  const partner = await aPartner(system.ready);
  await signIn(page, partner);
  const lines = Array.from({ length: 30 }, (_, n) =>
    JSON.stringify({ externalId: `bulk-${n}`, title: `Bulk ${n}`, price: n === 7 ? -1 : 100, imageUrls: [] }),
  );
  const answer = await fetch(`${system.ready.apiUrl}/integration/v1/bulk-syncs`, {
    method: 'POST',
    headers: { 'x-api-key': partner.apiKey, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  t.true(answer.ok, await answer.text());
  await page.goto('/dashboard/bulk-syncs');
  await page.getByRole('table').getByRole('link').first().click();
  await seen(heading(page, /^File import/));
  await seen(page.getByText('Completed').first());
  await seen(page.getByText('bulk-7'));
});

flow(
  'a file of an ERP is sent by hand: its columns suggested, tried without effect, then taken',
  async ({ t, page }) => {
    const partner = await aPartner(system.ready);
    const titleOf = async (id: string): Promise<unknown> => {
      const answer = await fetch(`${system.ready.apiUrl}/integration/v1/items/${id}?view=full`, {
        headers: { 'x-api-key': partner.apiKey },
      });
      return ((await answer.json()) as { title?: unknown }).title;
    };
    await signIn(page, partner);
    await page.goto('/dashboard/bulk-syncs');
    await page.getByRole('link', { name: 'Send a file' }).first().click();
    await seen(heading(page, 'Send a file'));
    const rows = [
      'Artikelnr;Benämning;Pris;Saldo',
      'A-1;Dörr höger;1 499,00;3',
      'A-2;Spegel;1.500;1',
      'A-3;Skärm;450 kr;2',
    ];
    await page
      .getByLabel('File with items')
      .setInputFiles({ name: 'lager.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n'), 'latin1') });
    await seen(page.getByText('read as windows-1252'));
    t.is(await page.getByLabel('Benämning').inputValue(), 'title');
    t.is(await page.getByLabel('Saldo').inputValue(), '');
    await page.getByLabel('Saldo').selectOption('price');
    await seen(page.getByText('Already chosen for the column Pris.'));
    t.false(await button(page, 'Check the file').isVisible());
    await page.getByLabel('Saldo').selectOption('');
    await button(page, 'Check the file').click();
    await seen(page.getByText('3 lines in the file, 1 with errors'));
    await seen(page.getByText('is not an unambiguous number'));
    t.deepEqual(await accessibilityProblems(page), []);
    t.is(await titleOf('A-1'), undefined);
    const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'Save lines with errors').click()]);
    t.regex(readFileSync(await saved.path(), 'utf8'), /A-2;Spegel;1\.500;1/);
    await button(page, 'Send 2 lines').click();
    await seen(heading(page, /^File import/));
    await seen(page.getByText('Completed').first());
    t.is(await titleOf('A-1'), 'Dörr höger');
  },
);

flow(
  'a workbook of Excel is named for what it is, and columns that are needed are asked for, in Swedish',
  async ({ t, page }) => {
    await signIn(page, await aPartner(system.ready));
    await page.goto('/dashboard/bulk-syncs/new');
    const pick = async (name: string, content: string): Promise<void> =>
      page.getByLabel('Fil med artiklar').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
    await pick('lager.xlsx', 'PK\u0003\u0004[Content_Types].xml xl/workbook.xml');
    await seen(page.getByText('Excel-arbetsbok'));
    await pick('lager.csv', 'Nummer;Vad;Kostar\nB-1;Spegel;100\n');
    await seen(page.getByText('Välj kolumner för'));
    for (const [column, field] of [
      ['Nummer', 'externalId'],
      ['Vad', 'title'],
      ['Kostar', 'price'],
    ] as const)
      await page.getByLabel(column, { exact: true }).selectOption(field);
    await button(page, 'Kontrollera filen').click();
    await seen(page.getByText('1 rad i filen, 0 med fel'));
    t.true(await button(page, 'Skicka 1 rad').isVisible());
  },
  { language: 'sv' },
);

flow(
  'without script somebody new joins a reseller by one form',
  async ({ page }) => {
    const slug = slugOf(system);
    const { name, email, password } = aPerson();
    await page.goto(`/p/${slug}?lang=en`);
    const form = page.locator('form[action*="sign-up"]');
    await form.locator('[name=name]').fill(name);
    await form.locator('[name=email]').fill(email);
    await form.locator('[name=password]').fill(password);
    await form.getByRole('button').click();
    await seen(heading(page, /You are a member of/));
  },
  { hasScript: false },
);

flow(
  'somebody signed in to the dashboard joins with one click, and leaves',
  async ({ page }) => {
    await signIn(page, await aPartner(system.ready));
    await page.goto(`/p/${slugOf(system)}`);
    await page.locator('form[action*="/join"] button').click();
    await seen(heading(page, /Du är medlem/));
    await page.locator('details summary').click();
    await page.locator('form[action*="/leave"] button').click();
    await seen(page.locator('form[action*="/join"] button'));
  },
  { language: 'sv' },
);

function slugOf({ ready }: RunningSystem): string {
  const reseller = ready.accounts.find(({ role }) => role === 'reseller');
  return reseller?.role === 'reseller' ? reseller.slug : '';
}
