import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { ReadyState } from '../../../embedded/ready-file.ts';
import { startChromium } from './chromium.ts';
import { openPage, type Look } from './open-page.ts';
import { pagesToSee, type PageToSee } from './pages-to-see.ts';
import { signIn } from './people.ts';
import { startRunningSystem } from './running-system.ts';

const folder = join('build', 'screenshots');
const ofReadme = ['overview-desktop.png', 'items-phone-dark.png'];
/** So high at most, that the files stay small; what is below shows nothing new. */
const heightMax = 1_800;

/** Dark only on a phone and where there is a chart: elsewhere it shows the same again. */
const looks: readonly { readonly suffix: string; readonly look: Look; readonly only?: readonly string[] }[] = [
  { suffix: 'desktop', look: { language: 'en', scheme: 'light', device: 'desktop' } },
  { suffix: 'phone', look: { language: 'sv', scheme: 'light', device: 'phone' } },
  {
    suffix: 'desktop-dark',
    look: { language: 'en', scheme: 'dark', device: 'desktop' },
    only: ['overview', 'items', 'item', 'join'],
  },
  { suffix: 'phone-dark', look: { language: 'sv', scheme: 'dark', device: 'phone' }, only: ['overview', 'items'] },
];

/** Takes a picture of every page, or of those named, into build/screenshots, and renews those of the README. */
export async function writeScreens(names: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [system, browser] = await Promise.all([startRunningSystem([]), startChromium()]);
  try {
    const pages = await pagesToSee(system.ready);
    const wanted = names.length === 0 ? pages : pages.filter(({ name }) => names.includes(name));
    for (const { suffix, look, only } of looks)
      await takeAll(browser, {
        ready: system.ready,
        suffix,
        look,
        pages: wanted.filter(({ name }) => only?.includes(name) ?? true),
      });
    for (const picture of ofReadme)
      if (existsSync(join(folder, picture))) cpSync(join(folder, picture), join('docs', 'pictures', picture));
  } finally {
    await browser.close();
    await system.stop();
  }
}

interface Session {
  readonly ready: ReadyState;
  readonly suffix: string;
  readonly look: Look;
  readonly pages: readonly PageToSee[];
}

async function takeAll(browser: Browser, { ready, suffix, look, pages }: Session): Promise<void> {
  for (const isSignedIn of [false, true]) {
    const { page, context, quiet } = await openPage(browser, ready.apiUrl, look);
    const [first] = ready.accounts;
    if (isSignedIn && first !== undefined) await signIn(page, first);
    for (const { name, path } of pages.filter((one) => one.isSignedIn === isSignedIn)) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await quiet();
      // A list that is still being fetched on a busy machine is no picture of the page.
      for (const part of await page.locator('.loading').all()) await part.waitFor({ state: 'detached' });
      const { width = 0 } = page.viewportSize() ?? {};
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.screenshot({
        path: join(folder, `${name}-${suffix}.png`),
        fullPage: true,
        clip: { x: 0, y: 0, width, height: Math.min(height, heightMax) },
      });
    }
    await context.close();
  }
}
