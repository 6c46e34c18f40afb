import type { CDPSession, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import type { MeasuredPlace } from './measure-sizes.ts';
import { openPage } from './open-page.ts';
import { signIn } from './people.ts';

interface Condition {
  readonly name: string;
  /** Times as slow as this machine. */
  readonly slowdown: number;
  /** undefined: as it is. */
  readonly line:
    | { readonly latency: number; readonly downloadThroughput: number; readonly uploadThroughput: number }
    | undefined;
}

/** The second is what the developer tools of browsers call "Fast 3G": bytes a second, ms of latency. */
export const conditions: readonly Condition[] = [
  { name: 'this machine', slowdown: 1, line: undefined },
  {
    name: 'CPU 4× slower, Fast 3G',
    slowdown: 4,
    line: { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 },
  },
];

interface Timing {
  readonly paintMs: number;
  readonly dataMs: number;
}

export interface PageTimes {
  readonly name: string;
  readonly cache: 'cold' | 'warm';
  /** In the order of {@link conditions}. */
  readonly medians: readonly Timing[];
}

/** Pages, and what is there once their data is shown. */
const pages: readonly (readonly [name: string, path: string, shown: string])[] = [
  ['overview', '/dashboard', '.overview-figure-count'],
  ['items', '/dashboard/items', '.items-name'],
  ['item', '/dashboard/items/measured-7', '.item-timeline'],
];
const runs = 5;

export async function measureTimes({ browser, baseURL, person }: MeasuredPlace): Promise<PageTimes[]> {
  const { page, context } = await openPage(browser, baseURL);
  const wire = await context.newCDPSession(page);
  await page.addInitScript(noteWhenShown(pages.map(([, , shown]) => shown)));
  await signIn(page, person);
  const rows: PageTimes[] = [];
  for (const [name, path] of pages)
    for (const cache of ['cold', 'warm'] as const) {
      const medians: Timing[] = [];
      for (const condition of conditions) {
        await slowDown(wire, condition);
        medians.push(
          await repeat(async () => {
            if (cache === 'cold') await wire.send('Network.clearBrowserCache');
            await page.goto(path);
            return readTiming(page);
          }),
        );
      }
      rows.push({ name, cache, medians });
    }
  await context.close();
  return rows;
}

async function slowDown(wire: CDPSession, { slowdown, line }: Condition): Promise<void> {
  const free = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', { offline: false, ...(line ?? free) });
  await wire.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

async function repeat(once: () => Promise<Timing>): Promise<Timing> {
  // The one before fills the cache, or leaves it as the others find it.
  await once();
  const timings: Timing[] = [];
  while (timings.length < runs) timings.push(await once());
  return { paintMs: median(timings.map((one) => one.paintMs)), dataMs: median(timings.map((one) => one.dataMs)) };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;

/** Runs in the page before its own script: notes the moment at which one of the selectors has something. */
const noteWhenShown = (selectors: readonly string[]): string => `
  new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selectors.join(','))}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.dataShownMs = performance.now(); });
  }).observe(document, { childList: true, subtree: true });`;

async function readTiming(page: Page): Promise<Timing> {
  const read = `(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return paint !== undefined && window.dataShownMs !== undefined
      ? { paintMs: paint.startTime, dataMs: window.dataShownMs }
      : undefined;
  })()`;
  // In steps: the page's own policy forbids the browser library to wait inside of it.
  return until('the page was drawn', async () => page.evaluate<Timing | undefined>(read), 60_000);
}
