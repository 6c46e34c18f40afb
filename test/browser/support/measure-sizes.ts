import type { Browser, CDPSession, Page } from 'playwright-core';
import { openPage } from './open-page.ts';
import { signIn, type Person } from './people.ts';

export interface MeasuredPlace {
  readonly browser: Browser;
  readonly baseURL: string;
  readonly person: Pick<Person, 'email' | 'password'>;
}

/** Bytes on the wire, with nothing in the cache. */
export interface PageSize {
  readonly name: string;
  readonly script: number;
  readonly style: number;
  /** Both, and the HTML. */
  readonly page: number;
  /** What coming from the overview fetches of them; undefined where that is no way. */
  readonly added: number | undefined;
}

/** By the names of the pictures. */
const pages: readonly (readonly [name: string, path: string])[] = [
  ['overview', ''],
  ['items', '/items'],
  ['item', '/items/measured-7'],
  ['orders', '/orders'],
  ['bulk-syncs', '/bulk-syncs'],
  ['keys', '/keys'],
  ['requests', '/requests'],
  ['webhooks', '/webhooks'],
  ['webhook-account', '/webhooks/account'],
  ['deliveries', '/deliveries'],
  ['connection', '/connection'],
  ['reseller', '/reseller'],
  ['subscription', '/subscription'],
  ['audit-log', '/audit-log'],
];

export async function measureSizes({ browser, baseURL, person }: MeasuredPlace): Promise<PageSize[]> {
  const { page, context } = await openPage(browser, baseURL);
  const wire = await context.newCDPSession(page);
  const fetched = await listen(wire);
  const fresh = async (path: string): Promise<Fetched> => {
    await wire.send('Network.clearBrowserCache');
    fetched.forget();
    await page.goto(`/dashboard${path}`);
    await settle(page);
    return fetched.sum();
  };
  const sizes: PageSize[] = [{ name: 'sign-in', ...(await fresh('/sign-in')), added: undefined }];
  await signIn(page, person);
  for (const [name, path] of pages) {
    const cold = await fresh(path);
    sizes.push({ name, ...cold, added: path === '' ? undefined : await addedBy(path) });
  }
  await context.close();
  return sizes;

  async function addedBy(path: string): Promise<number> {
    await fresh('');
    fetched.forget();
    // As a link in the page does it: without loading the document anew.
    await page.evaluate(`{
      const link = document.createElement('a');
      link.href = '/dashboard${path}';
      document.querySelector('#content').append(link);
      link.click();
      link.remove();
    }`);
    await page.locator('h1', { hasNotText: 'Overview' }).waitFor();
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
    return fetched.sum().page;
  }
}

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
}

type Fetched = Pick<PageSize, 'script' | 'style' | 'page'>;

/** Notes what the page fetches of the dashboard itself, and how much of it came over the wire. */
async function listen(wire: CDPSession): Promise<{ sum: () => Fetched; forget: () => void }> {
  const kinds = new Map<string, string>();
  let bytes: { kind: string; length: number }[] = [];
  wire.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength: length }) =>
    bytes.push({ kind: kinds.get(requestId) ?? '', length }),
  );
  await wire.send('Network.enable');
  const of = (kind: string): number =>
    bytes.filter((one) => one.kind === kind).reduce((sum, { length }) => sum + length, 0);
  return {
    sum: () => {
      const [script, style] = [of('Script'), of('Stylesheet')];
      return { script, style, page: script + style + of('Document') };
    },
    forget: () => {
      bytes = [];
    },
  };
}
