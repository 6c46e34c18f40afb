import { generousRateLimits } from '../../../test/support/generous-rate-limits.ts';
import { setUpAccount } from '../../../test/support/set-up-account.ts';
import { startReceiver, tlsSettings } from '../../contenders/contender.ts';
import { ForkedProcess } from '../../support/forked-process.ts';
import { memoryMb, resetPeaks } from '../../support/peak-memory.ts';
import { startProduct } from '../../support/product.ts';
import { percentile, toCase, type BenchCase } from '../../support/result.ts';
import type { BenchServers } from '../../support/servers.ts';
import { attacks, quiet, strangers, type Attack, type AttacksPlan, type Target } from './attacks.ts';
import { watchVictim, type Felt, type Victim } from './victim.ts';

/** What the containers may have (docker-compose.yml). */
const memoryMaxMb = { api: 1_024, worker: 2_048 } as const;
const processNames = ['api', 'worker'] as const;

interface Phase extends Felt {
  readonly memoryMb: ReturnType<typeof memoryMb>;
}

/**
 * What another tenant notices of attacks that once stopped the service, beside the quiet before and after each. Last the same calls
 * with small bodies: what as many harmless strangers cost.
 */
export async function measureAttacks(servers: BenchServers, plan: AttacksPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true, settings: asInProduction(servers) });
  await using receiver = await startReceiver(servers);
  await using host = await ForkedProcess.start<{ url: string }>('image-host', tlsSettings(servers.certificates));
  await using stranger = await ForkedProcess.start('json-attacker', { BENCH_API_URL: product.apiUrl });
  // By name: when the pool of threads is full no name is looked up.
  const named = ({ ready }: { ready: { url: string } }): string => ready.url.replace('127.0.0.1', 'localhost');
  const account = await setUpAccount(product.foundation, { webhookUrl: `${named(receiver)}/closing` });
  const attacker = await setUpAccount(product.foundation);
  const stage: Stage = { product, account, receiver, imageHost: named(host), plan, attacker, stranger };
  await playPhase(stage, 'warm-up', strangers);
  let before = await playPhase(stage, 'quiet', quiet);
  const cases: BenchCase[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const during = await playPhase(stage, name, attack);
    const after = await playPhase(stage, 'quiet', quiet);
    cases.push(...casesOf(name, during, [before, after]));
    before = after;
  }
  return cases;
}

type Stage = Victim & Target;

/** Limits at their defaults, and a proxy that says who calls. */
const asInProduction = ({ simulators }: BenchServers): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(generousRateLimits).map((name) => [name, ''])),
  TRUSTED_PROXIES: 'loopback',
  STRIPE_URL: simulators.payments.url,
  STRIPE_SECRET_KEY: 'sk_test_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_bench',
});

async function playPhase(stage: Stage, name: string, attack: Attack): Promise<Phase> {
  resetPeaks(stage.product);
  const over = new AbortController();
  const attacked = attack(stage).finally(() => over.abort());
  const [felt, outcome] = await Promise.all([watchVictim(stage, over.signal), attacked]);
  console.error(`  ${name}: ${outcome}; ${felt.arrived} of ${felt.owed} events in ${felt.seconds.toFixed(0)} s`);
  return { ...felt, memoryMb: memoryMb(stage.product, 'VmHWM') };
}

/** A neighbour is to notice no more of an attack than that. */
const ratioMax = 2;

function casesOf(attack: string, during: Phase, beside: readonly Phase[]): BenchCase[] {
  const pair = (read: (phase: Phase) => readonly number[], percent: number) => ({
    value: percentile(read(during), percent),
    floor: percentile(beside.flatMap(read), percent),
    unit: 'ms' as const,
  });
  const felt = (name: string, read: (phase: Phase) => readonly number[], goal?: number): BenchCase[] =>
    [50, 95].map((percent) => toCase({ name: `${attack}: ${name}, p${percent}`, ...pair(read, percent), goal }));
  return [
    ...felt('PUT', ({ puts }) => puts, ratioMax),
    ...felt('delivery', ({ deliveries }) => deliveries, ratioMax),
    ...felt('/healthz', ({ health }) => health),
    toCase({
      name: `${attack}: events that arrived, of those owed`,
      value: during.arrived / during.seconds,
      floor: during.owed / during.seconds,
      unit: '1/s',
      goal: 1,
    }),
    ...processNames.map((name) =>
      toCase({
        name: `${attack}: memory of the ${name}, peak`,
        value: during.memoryMb[name],
        unit: 'MB',
        target: memoryMaxMb[name],
      }),
    ),
  ];
}
