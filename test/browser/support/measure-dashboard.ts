import { cpus, loadavg } from 'node:os';
import type { ReadyState } from '../../../embedded/ready-file.ts';
import { until } from '../../support/until.ts';
import { startChromium } from './chromium.ts';
import { measureSizes, type PageSize } from './measure-sizes.ts';
import { conditions, measureTimes, type PageTimes } from './measure-times.ts';
import { aPartner, call, type Partner } from './people.ts';
import { startRunningSystem } from './running-system.ts';
import { writeEvidence } from '../../support/write-evidence.ts';

/** Sold, so that the overview has something to draw. */
const soldCount = 24;
const waitMs = 900_000;

/** Sizes and times of the dashboard of an account with many items: printed, and written as evidence. */
export async function measureDashboard(itemCount: number): Promise<void> {
  const system = await startRunningSystem([]);
  const browser = await startChromium();
  const { ready } = system;
  const told: string[] = [];
  const tell = (markdown: string): void => {
    console.log(`\n${markdown}`);
    told.push(markdown.trim());
    writeEvidence('screens.md', `${told.join('\n\n')}\n`);
  };
  try {
    const partner = await aPartner(ready);
    const inventory = inventoryOf(ready, partner);
    await pushItems(ready, partner, itemCount);
    await until('all items are there', async () => (await inventory()).total === itemCount, waitMs);
    await sellSome(ready, partner);
    const place = { browser, baseURL: ready.apiUrl, person: partner };
    tell(sizesTable(await measureSizes(place)));
    await until('the service is done with them', async () => (await inventory()).draft === 0, waitMs);
    tell(timesTable(await measureTimes(place), itemCount));
  } finally {
    await browser.close();
    await system.stop();
  }
}

async function pushItems({ apiUrl }: ReadyState, { apiKey }: Partner, itemCount: number): Promise<void> {
  const lines = Array.from({ length: itemCount }, (_, n) => ({
    externalId: `measured-${n}`,
    title: `Vara nummer ${n}, välskött`,
    price: 100 + n,
    imageUrls: [],
    domain: { domain: 'toys' },
  }));
  const answer = await fetch(`${apiUrl}/integration/v1/bulk-syncs`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  if (!answer.ok) throw new Error(`the items were refused: ${answer.status} ${await answer.text()}`);
}

const bearer = ({ token }: Partner): object => ({ authorization: `Bearer ${token}` });

interface Inventory {
  readonly total: number;
  readonly draft: number;
}

const inventoryOf =
  ({ apiUrl }: ReadyState, partner: Partner) =>
  async (): Promise<Inventory> => {
    const headers = bearer(partner);
    return (await call<{ inventory: Inventory }>(`${apiUrl}/partner/analytics`, 'GET', { headers })).inventory;
  };

async function sellSome({ apiUrl }: ReadyState, partner: Partner): Promise<void> {
  const headers = bearer(partner);
  for (let n = 0; n < soldCount; n += 1) {
    const sale = { externalId: `measured-${n}`, platform: 'service', amount: 200 + n, status: 'paid' };
    const { id } = await call<{ id: string }>(`${apiUrl}/partner/orders`, 'POST', { headers, body: sale });
    await call(`${apiUrl}/partner/orders/${id}`, 'PATCH', { headers, body: { status: 'completed' } });
  }
}

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

function sizesTable(sizes: readonly PageSize[]): string {
  const rows = sizes.map(({ name, script, style, page, added }) =>
    [name, kilobytes(script), kilobytes(style), kilobytes(page), added === undefined ? '–' : kilobytes(added)].join(
      ' | ',
    ),
  );
  return [
    'KB as transferred (Brotli, headers included), nothing cached:',
    '',
    '| page | script | style | script, style and HTML | come from the overview |',
    '|---|---:|---:|---:|---:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function timesTable(times: readonly PageTimes[], itemCount: number): string {
  const headers = conditions.map(({ name }) => `${name}: first paint | data shown`).join(' | ');
  const rows = times.map(({ name, cache, medians }) =>
    [name, cache, ...medians.map(({ paintMs, dataMs }) => `${round(paintMs)} | ${round(dataMs)}`)].join(' | '),
  );
  return [
    `ms from the beginning of the navigation, median of five, ${itemCount.toLocaleString('en')} items; load average of the machine meanwhile ${loadavg()[1]?.toFixed(1) ?? ''} on ${cpus().length} cores:`,
    '',
    `| page | cache | ${headers} |`,
    `|---|---|${conditions.map(() => '---:|---:|').join('')}`,
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

const round = (ms: number): string => Math.round(ms).toLocaleString('en');
