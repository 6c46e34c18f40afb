import type { ReadyState } from '../../../embedded/ready-file.ts';
import { until } from '../../support/until.ts';

export interface PageToSee {
  /** Of its picture. */
  readonly name: string;
  readonly path: string;
  readonly isSignedIn: boolean;
}

/** Every page, with something to see on it: what is missing is made. Seen by the first of the demo accounts, the reseller. */
export async function pagesToSee({ apiUrl, accounts }: ReadyState): Promise<PageToSee[]> {
  const [reseller, member] = accounts;
  if (reseller?.role !== 'reseller' || member?.role !== 'member') throw new Error('the demo accounts are missing');
  const get = async <Answer>(path: string, headers: Record<string, string>): Promise<Answer> => {
    const answer = await fetch(`${apiUrl}${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const own = { 'x-api-key': reseller.apiKey };
  const send = async (path: string, init: RequestInit): Promise<void> => {
    const answer = await fetch(`${apiUrl}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const headers = { ...own, 'content-type': 'application/json' };
  const item = { title: 'Cykel, 28 tum', price: 1_200, imageUrls: [], domain: { domain: 'toys' } };
  for (const name of ['seen-1', 'seen-4', 'seen-5'])
    await send(`/integration/v1/items/${name}`, { method: 'PUT', headers, body: JSON.stringify(item) });
  const lines = [
    { externalId: 'seen-2', ...item },
    { externalId: 'seen-3', ...item, price: -1 },
  ];
  await send('/integration/v1/bulk-syncs', {
    method: 'POST',
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { ...own, 'content-type': 'application/x-ndjson' },
  });
  const login = await fetch(`${apiUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: reseller.email, password: reseller.password }),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const session = { authorization: `Bearer ${accessToken}` };
  await describeReseller(apiUrl, session);
  // The page of the account-level URL asks before it shows the secret for the first time.
  await send('/integration/webhook-settings', { headers: session });
  await recordSales(apiUrl, { ...session, 'content-type': 'application/json' });
  const first = <Row>(
    what: string,
    path: string,
    listOf: (answer: Record<string, Row[]>) => Row[] | undefined,
  ): Promise<Row> => until(what, async () => listOf(await get<Record<string, Row[]>>(path, session))?.[0]);
  type Named = { id: string };
  const [webhook, delivery, bulk] = await Promise.all([
    first<Named>('a webhook', '/integration/webhooks', (answer) => answer['webhooks']),
    first<Named>('a delivery', '/integration/webhook-deliveries', (answer) => answer['deliveries']),
    first<Named>('a bulk sync', '/partner/bulk-syncs', (answer) => answer['bulkSyncs']),
  ]);
  const dashboard = (name: string, path = `/${name}`): PageToSee => ({
    name,
    path: `/dashboard${path}`,
    isSignedIn: true,
  });
  const open = (name: string, path: string): PageToSee => ({ name, path, isSignedIn: false });
  return [
    open('sign-in', '/dashboard/sign-in'),
    open('register', '/dashboard/register'),
    open('forgotten-password', '/dashboard/forgotten-password'),
    open('reset-password', '/dashboard/reset-password'),
    open('confirm-email', '/dashboard/confirm-email'),
    open('join', `/p/${reseller.slug}`),
    dashboard('overview', ''),
    dashboard('items'),
    dashboard('item', `/items/${await anItem(apiUrl, own)}`),
    dashboard('orders'),
    dashboard('bulk-syncs'),
    dashboard('send-file', '/bulk-syncs/new'),
    dashboard('bulk-sync', `/bulk-syncs/${bulk.id}`),
    dashboard('keys'),
    dashboard('requests'),
    dashboard('webhooks'),
    dashboard('webhook', `/webhooks/${webhook.id}`),
    dashboard('webhook-account', '/webhooks/account'),
    dashboard('deliveries'),
    dashboard('delivery', `/deliveries/${delivery.id}`),
    dashboard('connection'),
    dashboard('reseller'),
    dashboard('subscription'),
    dashboard('security'),
    dashboard('audit-log'),
    dashboard('not-found', '/nothing-here'),
  ];
}

/** The page where members join has words of the reseller's own. */
async function describeReseller(apiUrl: string, session: Record<string, string>): Promise<void> {
  const url = `${apiUrl}/business/my-profile`;
  const answer = await fetch(url, { headers: session });
  if (!answer.ok) return;
  const profile = (await answer.json()) as { slug: string; displayName: string };
  await fetch(url, {
    method: 'PUT',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({
      slug: profile.slug,
      displayName: profile.displayName,
      description:
        'Vi tar hand om begagnat från dödsbon och butiker i hela Norden.\nSom medlem får du dina varor fotograferade, beskrivna och utlagda utan att lyfta ett finger.',
    }),
  });
}

/** One completed, so that there is something to draw, and one that awaits payment. */
async function recordSales(apiUrl: string, headers: Record<string, string>): Promise<void> {
  const call = async (method: string, path: string, body: object): Promise<{ id: string } | undefined> => {
    const answer = await fetch(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    // Sold by the run before, on a system that is used again.
    if (answer.status === 409) return undefined;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const sale = { platform: 'service', amount: 1_150 };
  const order = await call('POST', '/partner/orders', { ...sale, externalId: 'seen-4', status: 'paid' });
  if (order !== undefined) await call('PATCH', `/partner/orders/${order.id}`, { status: 'completed' });
  await call('POST', '/partner/orders', { ...sale, externalId: 'seen-5' });
}

/** One of the examples with pictures, where there are some. */
async function anItem(apiUrl: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${apiUrl}/integration/v1/items/NR-0003`, { headers });
  await answer.arrayBuffer();
  return answer.ok ? 'NR-0003' : 'seen-1';
}
