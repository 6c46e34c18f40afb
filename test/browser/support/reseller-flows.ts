import type { ReadyState } from '../../../embedded/ready-file.ts';
import { accessibilityProblems } from './check-accessibility.ts';
import { button, heading, seen, type flowsIn } from './flow.ts';
import { aPartner, call, signIn, type Partner } from './people.ts';
import type { RunningSystem } from './running-system.ts';

/** What a reseller decides about its members: who becomes one, who stays one, and which of their sales count. */
export function addResellerFlows(flow: ReturnType<typeof flowsIn>, started: () => RunningSystem): void {
  flow('a reseller approves one that asks, declines another, and removes a member', async ({ t, page }) => {
    const { ready } = started();
    const reseller = theReseller(ready);
    const [wanted, unwanted] = [await aSeller(ready), await aSeller(ready)];
    await signIn(page, reseller);
    await page.goto('/dashboard/reseller');
    const approves = page.getByLabel('I approve new members');
    await approves.check();
    await button(page, 'Save page').click();
    await seen(page.getByText('Page saved'));
    for (const { token } of [wanted, unwanted]) await join(ready, token);
    await page.reload();
    await seen(heading(page, 'Want to become members'));
    await seen(page.getByText(wanted.email));
    t.deepEqual(await accessibilityProblems(page), []);
    await button(page, `Approve ${wanted.name}`).click();
    await page.getByRole('dialog').getByLabel('Reference').fill(`REF-${wanted.name}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await seen(page.getByText('Member approved'));
    await seen(page.getByText(`REF-${wanted.name}`));
    t.like(await dealOf(ready, wanted), { kind: 'sub_account' });
    await button(page, `Decline the request from ${unwanted.name}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await heading(page, 'Want to become members').waitFor({ state: 'hidden' });
    t.like(await dealOf(ready, unwanted), { kind: 'consumer_default', askedReseller: null });
    await button(page, `Remove ${wanted.name}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await seen(page.getByText('Member removed'));
    await page.getByText(`REF-${wanted.name}`).waitFor({ state: 'hidden' });
    t.like(await dealOf(ready, wanted), { kind: 'consumer_default' });
    await approves.uncheck();
    await button(page, 'Save page').click();
    await seen(page.getByText('Page saved'));
  });

  flow('sales above the sum wait on the page of the reseller until it confirms them', async ({ t, page }) => {
    const { ready } = started();
    const member = await aSeller(ready);
    await join(ready, member.token);
    await member.push('DEAR-1');
    await sell(ready, member, 200_000);
    await signIn(page, theReseller(ready));
    await page.goto('/dashboard/reseller');
    await seen(heading(page, 'Waiting for your confirmation'));
    t.deepEqual(await accessibilityProblems(page), []);
    await button(page, `Confirm the sales of ${member.name}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await seen(page.getByText('Sales confirmed'));
    await heading(page, 'Waiting for your confirmation').waitFor({ state: 'hidden' });
    await seen(page.getByRole('row', { name: new RegExp(`${member.name} 1 SEK 200,000`) }));
  });

  flow('an amount far above the price of the item is asked about once', async ({ page }) => {
    const partner = await aSeller(started().ready);
    await partner.push('SLIP-1');
    await signIn(page, partner);
    await page.goto('/dashboard/orders?sell=SLIP-1');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Price in SEK').fill('12000');
    await dialog.getByRole('button', { name: 'Record a sale' }).click();
    await seen(dialog.getByText('Is the price right?'));
    await dialog.getByRole('button', { name: 'Record anyway' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await seen(page.getByRole('row', { name: /SLIP-1.*12,000/ }));
  });
}

const aSeller = (ready: ReadyState): Promise<Partner> => aPartner(ready, { isConnected: false });

function theReseller({ accounts }: ReadyState) {
  const reseller = accounts.find(({ role }) => role === 'reseller');
  if (reseller?.role !== 'reseller') throw new Error('the demo accounts are missing');
  return reseller;
}

const sessionOf = ({ token }: Pick<Partner, 'token'>) => ({ authorization: `Bearer ${token}` });

const join = (ready: ReadyState, token: string): Promise<object> =>
  call(`${ready.apiUrl}/p/${theReseller(ready).slug}/connect`, 'POST', { headers: sessionOf({ token }) });

const dealOf = ({ apiUrl }: ReadyState, of: Partner): Promise<object> =>
  call(`${apiUrl}/business/my-deal`, 'GET', { headers: sessionOf(of) });

async function sell({ apiUrl }: ReadyState, member: Partner, amount: number): Promise<void> {
  const headers = sessionOf(member);
  const body = { externalId: 'DEAR-1', platform: 'service', amount, status: 'paid', isAmountConfirmed: true };
  const { id } = await call<{ id: string }>(`${apiUrl}/partner/orders`, 'POST', { headers, body });
  await call(`${apiUrl}/partner/orders/${id}`, 'PATCH', { headers, body: { status: 'completed' } });
}
