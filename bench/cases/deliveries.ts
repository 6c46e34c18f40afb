import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { play, startReceiver, type Contender, type Receiver } from '../contenders/contender.ts';
import { bullmqMissing, startBullmq, startFloor } from '../contenders/floor-and-bullmq.ts';
import { outpostMissing, startOutpost } from '../contenders/outpost.ts';
import { sampleRows, startProductContender } from '../contenders/product.ts';
import type { BenchCase, Played } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { deliveryCases, perSecond, publishers, type Results } from './delivery-cases.ts';

export interface DeliveriesPlan {
  readonly rounds: number;
  readonly burstCount: number;
  /** Events before anything counts. */
  readonly warmUp: number;
  readonly steadySeconds: number;
}

/**
 * Events of one account on their way to one receiver: the product, the floor that writes the same rows, BullMQ and Outpost. One after the
 * other, each with fresh processes and a database of its own, because idle ones take CPU time too.
 */
export async function measureDeliveries(servers: BenchServers, plan: DeliveriesPlan): Promise<BenchCase[]> {
  await using receiver = await startReceiver(servers);
  const url = `${receiver.ready.url}/ok`;
  const rowsFile = join(servers.folder, 'stored-rows.json');
  const measure = (start: () => Promise<Contender>): Promise<Results> => measureContender(start, receiver, plan);
  const orNote = async (missing: string | null, start: () => Promise<Contender>): Promise<Results | null> => {
    if (missing === null) return measure(start);
    servers.notes.push(`Left out: deliveries ${missing}.`);
    return null;
  };
  const product = await measure(async () => {
    const started = await startProductContender(servers, [url, `${receiver.ready.url}/pausing`]);
    writeFileSync(rowsFile, await sampleRows(started));
    return { ...started, accounts: started.accounts.slice(0, 1) };
  });
  const floor = await measure(() => startFloor(servers, { url, rowsFile }));
  const bullmq = await orNote(bullmqMissing(), () => startBullmq(servers, { url, rowsFile }));
  const outpost = await orNote(outpostMissing(), () => startOutpost(servers, { urls: [url], rowsFile }));
  return deliveryCases({ product, floor, bullmq, outpost });
}

async function measureContender(
  start: () => Promise<Contender>,
  receiver: Receiver,
  { rounds, burstCount, warmUp, steadySeconds }: DeliveriesPlan,
): Promise<Results> {
  const results: Results = { 64: [], 16: [], steady: [] };
  await using contender = await start();
  const burst = (atOnce: number, count: number): Promise<Played> =>
    play(contender, receiver, { count, together: 1, atOnce, ...contender.burst });
  await burst(64, warmUp);
  for (let round = 0; round < rounds; round += 1)
    for (const atOnce of publishers) results[atOnce].push(await burst(atOnce, burstCount));
  const steady = { count: perSecond * steadySeconds, together: 1, atOnce: 1, perSecond };
  results.steady.push(await play(contender, receiver, steady));
  // What each process takes; in the table only the product's have rows.
  for (const [name, played] of Object.entries(results)) console.error(`  ${name}:`, played.at(-1)?.cpuMsEachOf);
  return results;
}
