import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line for each element that breaks a rule of WCAG 2.2 A or AA, or a best practice; and one when the page is wider than its window. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // By the debugger, which no policy of the page concerns.
  await page.evaluate(source);
  const results = await page.evaluate(
    // Run as text too: what the compiler adds to functions is not there in the page.
    `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  );
  const { violations } = results as AxeResults;
  const broken = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} (${help}): ${target.join(' ')}\n${failureSummary}`),
  );
  const overhang = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return overhang > 0 ? [...broken, `wider than the window by ${overhang} px`] : broken;
}
