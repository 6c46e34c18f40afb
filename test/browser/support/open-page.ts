import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { until } from '../../support/until.ts';

export type Language = 'sv' | 'en';

export interface Look {
  readonly language?: Language;
  readonly scheme?: 'light' | 'dark';
  readonly device?: 'desktop' | 'phone';
  readonly hasScript?: boolean;
}

export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong meanwhile that nobody should see: errors of scripts, of the console and of the server, refusals by the policy. */
  readonly troubles: string[];
  /** Resolves when nothing has been under way for half a second, or after ten seconds. */
  readonly quiet: () => Promise<void>;
}

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };

/** A window of its own: nothing is stored and nobody is signed in. */
export async function openPage(browser: Browser, baseURL: string, look: Look = {}): Promise<OpenedPage> {
  const { language = 'en', scheme = 'light', device = 'desktop', hasScript = true } = look;
  const context = await browser.newContext({
    baseURL,
    colorScheme: scheme,
    viewport: sizes[device],
    javaScriptEnabled: hasScript,
    locale: language === 'sv' ? 'sv-SE' : 'en-GB',
    timezoneId: 'Europe/Stockholm',
    reducedMotion: 'reduce',
    ...(device === 'phone' && { isMobile: true, hasTouch: true }),
  });
  // Everybody shares the processor with servers that have just started.
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  return { page, context, troubles: watch(page), quiet: quietOf(page) };
}

const quietMs = 500;

function quietOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let lastAt = performance.now();
  const end = (request: Request): void => {
    underWay.delete(request);
    lastAt = performance.now();
  };
  page.on('request', (request) => {
    underWay.add(request);
    lastAt = performance.now();
  });
  page.on('requestfinished', end).on('requestfailed', end);
  const isQuiet = (): Promise<boolean> => Promise.resolve(underWay.size === 0 && performance.now() - lastAt > quietMs);
  return async () => void (await until('nothing is under way', isQuiet, 10_000).catch(() => undefined));
}

/** The browser's own line for every answer from 400 on; what the page makes of it is on the page. */
const refusal = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Only a flow that takes the network away itself meets it. */
const cutOff = 'net::ERR_INTERNET_DISCONNECTED';

function watch(page: Page): string[] {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`script: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !refusal.test(text) && !text.includes(cutOff))
      troubles.push(`console: ${text}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) troubles.push(`server: ${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    // A page that is left stops what it has asked for.
    if (errorText !== 'net::ERR_ABORTED' && errorText !== cutOff)
      troubles.push(`request: ${errorText} ${request.url()}`);
  });
  return troubles;
}
