import test, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import { openPage, type Look } from './open-page.ts';
import type { RunningSystem } from './running-system.ts';

export interface Visit {
  readonly t: ExecutionContext;
  readonly page: Page;
}

/** A flow is one window in which nothing may go wrong that the page doesn't tell. */
export const flowsIn =
  (started: () => { readonly system: RunningSystem; readonly browser: Browser }) =>
  (title: string, walk: (visit: Visit) => Promise<void>, look: Look = {}): void =>
    test.serial(title, async (t) => {
      t.timeout(300_000);
      const { system, browser } = started();
      const { page, context, troubles } = await openPage(browser, system.ready.apiUrl, look);
      try {
        await walk({ t, page });
      } catch (error) {
        t.log(
          page.url(),
          (
            await page
              .locator('body')
              .innerText()
              .catch(() => '')
          ).slice(0, 2_000),
        );
        throw error;
      } finally {
        await context.close();
      }
      t.deepEqual(troubles, []);
    });

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true });
export const seen = async (found: { waitFor(): Promise<void> }): Promise<void> => found.waitFor();
