import test from 'ava';
import type { Browser } from 'playwright-core';
import { accessibilityProblems } from './support/check-accessibility.ts';
import { startChromium } from './support/chromium.ts';
import { openPage, type Look } from './support/open-page.ts';
import { pagesToSee, type PageToSee } from './support/pages-to-see.ts';
import { signIn } from './support/people.ts';
import { startRunningSystem, type RunningSystem } from './support/running-system.ts';

// Every page in both languages, light and dark, on a desktop and on a phone, in all pairs of these: nothing that axe-core knows to be in somebody's way, nothing
// wider than its window, nothing in the console, no word of the policy, no error of the server.

let system: RunningSystem;
let browser: Browser;
let pages: readonly PageToSee[];
test.before(async (t) => {
  t.timeout(500_000);
  // One after the other: when the first fails, nothing is left running that would keep this process from ending.
  system = await startRunningSystem();
  browser = await startChromium();
  pages = await pagesToSee(system.ready);
});
test.after.always(async () => {
  await browser?.close();
  await system?.stop();
});

/** Each two of language, scheme and device meet in one of them: what three of them alone would break has never been seen. */
const looks: readonly Required<Pick<Look, 'language' | 'scheme' | 'device'>>[] = [
  { language: 'sv', scheme: 'light', device: 'desktop' },
  { language: 'sv', scheme: 'dark', device: 'phone' },
  { language: 'en', scheme: 'light', device: 'phone' },
  { language: 'en', scheme: 'dark', device: 'desktop' },
];

for (const look of looks)
  test.serial(`every page is in nobody's way: ${Object.values(look).join(', ')}`, async (t) => {
    t.timeout(600_000);
    const problems: string[] = [];
    for (const isSignedIn of [false, true]) {
      const { page, context, troubles, quiet } = await openPage(browser, system.ready.apiUrl, look);
      const wanted = pages.filter((one) => one.isSignedIn === isSignedIn);
      const [first] = system.ready.accounts;
      if (isSignedIn && first !== undefined) await signIn(page, first);
      for (const { name, path } of wanted) {
        await page.goto(path);
        await page.locator('h1').first().waitFor();
        await quiet();
        t.is(await page.locator('html').getAttribute('lang'), look.language, name);
        for (const problem of [...(await accessibilityProblems(page)), ...troubles.splice(0)])
          problems.push(`${name}: ${problem}`);
      }
      await context.close();
    }
    t.deepEqual(problems, []);
  });

test.serial('no page is wider than a window of 768, 820 or 1024 pixels', async (t) => {
  t.timeout(300_000);
  const { page, context, quiet } = await openPage(browser, system.ready.apiUrl, { language: 'sv' });
  const [first] = system.ready.accounts;
  if (first !== undefined) await signIn(page, first);
  const wide: string[] = [];
  for (const { name, path } of pages.filter(({ isSignedIn }) => isSignedIn)) {
    await page.goto(path);
    await page.locator('h1').first().waitFor();
    await quiet();
    for (const width of [768, 820, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      // The chart takes its new width in the next frame.
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      const overhang = await page.evaluate<number>(`document.documentElement.scrollWidth - ${width}`);
      if (overhang > 0) wide.push(`${name} at ${width}: ${overhang} px`);
    }
  }
  await context.close();
  t.deepEqual(wide, []);
});

for (const scheme of ['light', 'dark'] as const)
  for (const device of ['desktop', 'phone'] as const)
    test.serial(`guides and reference are in nobody's way: ${scheme}, ${device}`, async (t) => {
      t.timeout(300_000);
      const { page, context, troubles } = await openPage(browser, system.ready.apiUrl, { scheme, device });
      const problems: string[] = [];
      await page.goto('/docs/guides/');
      const links = await page.locator('nav[aria-label=Guides] a').all();
      const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
      t.true(paths.includes('/docs/guides/first-hour'));
      // `/docs/try` is left out: the library that draws it has findings of its own. No page needs it.
      for (const path of [...paths, '/docs/', '/docs/reference/', '/docs/reference/items']) {
        const answer = await page.goto(path ?? '');
        t.is(answer?.status(), 200, path ?? 'a link without an address');
        for (const problem of [...(await accessibilityProblems(page)), ...troubles.splice(0)])
          problems.push(`${path}: ${problem}`);
      }
      await context.close();
      t.deepEqual(problems, []);
    });
