import { join } from 'node:path';
import { freePort } from '../../../embedded/choose-port.ts';
import { ForkedProcess } from '../../support/forked-process.ts';
import { redisProcess, redisVersion } from '../../support/redis.ts';
import type { BenchCase } from '../../support/result.ts';
import type { BenchServers } from '../../support/servers.ts';
import type { Contender } from './contender.ts';
import { deliveryCases, type Results } from './delivery-cases.ts';
import { playBurst, playSteady } from './measure-contender.ts';
import { startProductContender } from './product-contender.ts';
import { startQueueContender } from './queue-contender.ts';
import { startTrivialContender } from './trivial-contender.ts';

export interface DeliveriesPlan {
  readonly burstCount: number;
  /** Of those that need no workflow; the others take minutes for one burst, and have one. */
  readonly rounds: number;
  /** Events before anything counts. */
  readonly warmUp: { readonly slow: number; readonly fast: number };
  readonly steadySeconds: number;
}

/** Below what everybody can do, and what the goal is set at. */
export const steadyRates = [10, 50] as const;

interface Entrant {
  readonly name: keyof Results;
  readonly isFast: boolean;
  /** Part of the burst that is enough where only the rate counts; 1 unless said otherwise. */
  readonly share?: number;
  readonly start: () => Promise<Contender>;
}

/**
 * Webhook deliveries of the product beside trivial workflows and beside senders on job queues with the same receiver. One
 * after the other, each with fresh processes and a database of its own, because an idle worker costs a fifth of a core.
 */
export async function measureDeliveries(
  servers: BenchServers,
  plan: DeliveriesPlan,
  note: (text: string) => void,
): Promise<BenchCase[]> {
  const { certificates } = servers;
  const receiver = await ForkedProcess.start<{ url: string }>('webhook-receiver', {
    BENCH_TLS_KEY_FILE: certificates.keyFile,
    BENCH_TLS_CERT_FILE: certificates.certificateFile,
  });
  const results: Results = {};
  try {
    for (const entrant of await findEntrants(servers, receiver, note)) {
      results[entrant.name] = { bursts: [], steady: [] };
      for (let round = 0; round < (entrant.isFast ? plan.rounds : 1); round += 1)
        await playRound(results, entrant, { plan, isFirst: round === 0 });
    }
  } finally {
    await receiver.stop();
  }
  return deliveryCases(results);
}

async function playRound(
  results: Results,
  { name, isFast, start, share = 1 }: Entrant,
  { plan, isFirst }: { plan: DeliveriesPlan; isFirst: boolean },
): Promise<void> {
  const contender = await start();
  const result = results[name] ?? { bursts: [], steady: [] };
  try {
    await playBurst(contender, isFast ? plan.warmUp.fast : plan.warmUp.slow);
    if (isFirst)
      for (const perSecond of steadyRates)
        result.steady.push(await playSteady(contender, { perSecond, count: perSecond * plan.steadySeconds }));
    result.bursts.push(await playBurst(contender, Math.round(plan.burstCount * share)));
    console.error(`· ${name}: ${JSON.stringify(result.bursts.at(-1))} ${JSON.stringify(result.steady)}`);
  } finally {
    await contender.close();
  }
}

async function findEntrants(
  servers: BenchServers,
  receiver: ForkedProcess<{ url: string }>,
  note: (text: string) => void,
): Promise<Entrant[]> {
  const product = () => startProductContender(servers, { urls: [receiver.ready.url], receiver });
  const entrants: Entrant[] = [
    { name: 'lane', isFast: true, start: product },
    { name: 'agenda', isFast: true, start: () => startQueueContender(servers, { kind: 'agenda', receiver }) },
    { name: 'trivial', isFast: false, start: () => startTrivialContender(servers, 'oneActivity') },
    {
      name: 'trivialLocal',
      isFast: false,
      share: 0.2,
      start: () => startTrivialContender(servers, 'oneLocalActivity'),
    },
  ];
  if ((await redisVersion()) === null) note('deliveries beside BullMQ: there is no redis-server on the path');
  else entrants.unshift({ name: 'bullmq', isFast: true, start: () => startOnRedis(servers, receiver) });
  return entrants;
}

async function startOnRedis(servers: BenchServers, receiver: ForkedProcess<{ url: string }>): Promise<Contender> {
  const port = await freePort();
  const redis = redisProcess({ port, directory: join(servers.folder, `redis-${port}`) });
  await redis.start();
  try {
    const contender = await startQueueContender(servers, { kind: 'bullmq', receiver, redis: { process: redis, port } });
    const close = async (): Promise<void> => {
      await contender.close();
      await redis.stop();
    };
    return { ...contender, close };
  } catch (cause) {
    await redis.stop();
    throw cause;
  }
}
