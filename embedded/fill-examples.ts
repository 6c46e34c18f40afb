import { setTimeout as delay } from 'node:timers/promises';
import type { DemoAccount } from './demo-accounts.ts';
import { playBuyers } from './example-buyers.ts';
import { countResults, describeCounts, type ExampleCounts } from './example-progress.ts';
import type { SimulatorAddresses } from './simulators-process.ts';

/** Sends the example catalogue through the public API as an ERP would; the caller brings it (examples/push-catalogue.ts). */
export type PushCatalogue = (options: {
  apiUrl: string;
  accounts: readonly DemoAccount[];
  imagesUrl: string;
  onProgress: (progress: { received: number }) => void;
}) => Promise<unknown>;

export interface FillOptions {
  readonly apiUrl: string;
  readonly accounts: readonly DemoAccount[];
  readonly simulators: SimulatorAddresses;
  readonly pushCatalogue: PushCatalogue;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

const lookEveryMs = 1000;
/** Numbers that have not moved for this long have arrived. */
const calmMs = 8000;
const longestMs = 180_000;

/** Pushes the catalogue, lets buyers bid, and shows the numbers until nothing moves any more (3 min at most). */
export async function fillExamples(options: FillOptions): Promise<ExampleCounts> {
  const { apiUrl, accounts, simulators, pushCatalogue, signal } = options;
  const counts: ExampleCounts = { received: 0, images: 0, live: 0, sold: 0, webhooks: 0 };
  const onProgress = ({ received }: { received: number }): void => {
    counts.received = received;
  };
  const buyers = new AbortController();
  const buying = playBuyers(simulators, AbortSignal.any([signal, buyers.signal]));
  let isPushed = false;
  const pushing = pushCatalogue({ apiUrl, accounts, imagesUrl: simulators.images.url, onProgress }).then(() => {
    isPushed = true;
  });
  const watching = watch({ ...options, counts, isPushed: () => isPushed });
  try {
    await Promise.race([Promise.all([pushing, watching]), buying.then(() => pushing)]);
    await watching;
  } finally {
    buyers.abort();
    await Promise.allSettled([buying, watching]);
  }
  return counts;
}

async function watch(options: FillOptions & { counts: ExampleCounts; isPushed: () => boolean }): Promise<void> {
  const { simulators, counts, isPushed, onProgress, signal } = options;
  const startedAt = Date.now();
  let changedAt = startedAt;
  let shown = '';
  while (!signal.aborted && Date.now() - startedAt < longestMs) {
    Object.assign(counts, await countResults(simulators));
    const line = describeCounts(counts);
    if (line !== shown) changedAt = Date.now();
    shown = line;
    onProgress(line);
    if (isPushed() && Date.now() - changedAt > calmMs) return;
    await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
