import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ReadyState } from '../../../embedded/ready-file.ts';
import { openPage } from './open-page.ts';
import { pagesToSee } from './pages-to-see.ts';
import { signIn } from './people.ts';

interface Moves {
  readonly sum: number;
  /** The parts that moved, with their share. */
  readonly parts: readonly string[];
}

/** Of every page, or those named, on a desktop and on a phone, when each answer takes 300 ms on its way. */
export async function measureShifts(browser: Browser, ready: ReadyState, names: readonly string[]): Promise<string> {
  const all = await pagesToSee(ready);
  const wanted = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const shifts = new Map(wanted.map(({ name }) => [name, [] as number[]]));
  for (const device of ['desktop', 'phone'] as const)
    for (const isSignedIn of [false, true]) {
      const { page, context, quiet } = await openPage(browser, ready.apiUrl, { device });
      await page.addInitScript(noteMoves);
      const [first] = ready.accounts;
      if (isSignedIn && first !== undefined) await signIn(page, first);
      await delayAnswers(context, page);
      for (const { name, path } of wanted.filter((one) => one.isSignedIn === isSignedIn)) {
        await page.goto(path);
        await page.locator('h1').first().waitFor();
        await quiet();
        const { sum, parts } = await page.evaluate<Moves>('window.moves');
        shifts.get(name)?.push(sum);
        console.log(`${name}, ${device}: ${sum.toFixed(3)} ${parts.join('; ')}`);
      }
      await context.close();
    }
  return [
    'Layout shift (cumulative, 0.1 and less is good) when each answer takes 300 ms on its way:',
    '',
    '| page | desktop | phone |',
    '|---|---:|---:|',
    ...[...shifts].map(([name, values]) => `| ${name} | ${values.map((value) => value.toFixed(3)).join(' | ')} |`),
  ].join('\n');
}

/** Runs in the page before its own script. */
const noteMoves = `window.moves = { sum: 0, parts: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      moves.sum += value;
      for (const { node, previousRect, currentRect } of sources)
        moves.parts.push([value.toFixed(3), node?.className || node?.nodeName, previousRect.y, currentRect.y].join(' '));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

async function delayAnswers(context: BrowserContext, page: Page): Promise<void> {
  const wire = await context.newCDPSession(page);
  await wire.send('Network.enable');
  const line = { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 };
  await wire.send('Network.emulateNetworkConditions', line);
}
