import { setTimeout as delay } from 'node:timers/promises';
import { listingsOf } from './example-progress.ts';
import { callJson } from './http-json.ts';
import type { SimulatorAddresses } from './simulators-process.ts';

const soldShare = 4;
const bidKronor = 50;

/**
 * Every fourth auction gets a bid and ends a little later, so that a newcomer sees sales come back. Runs until the signal.
 */
export async function playBuyers(simulators: SimulatorAddresses, signal: AbortSignal): Promise<void> {
  const seen = new Set<number>();
  while (!signal.aborted) {
    const active = (await listingsOf(simulators)).filter(
      ({ state, itemId }) => state === 'active' && !seen.has(itemId),
    );
    for (const { itemId, startPrice } of active) {
      seen.add(itemId);
      if (seen.size % soldShare !== 0) continue;
      const url = `${simulators.marketplace.adminUrl}/listings/${String(itemId)}`;
      await callJson({ method: 'POST', url: `${url}/bids`, body: { amount: startPrice + bidKronor } });
      await callJson({ method: 'POST', url: `${url}/end`, body: {} });
    }
    await delay(500, undefined, { signal }).catch(() => undefined);
  }
}
