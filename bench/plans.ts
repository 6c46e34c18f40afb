// How much of each is measured: `quick` shows that it works, `full` gives figures. A full run should take about an hour on an
// idle machine with 2 cores: most of it are bursts of workflows, bulk syncs, and accounts that have to be filled first.
export const plans = {
  quick: {
    put: { rounds: 1, warmUpPushes: 600, durationMs: 1_500 },
    items: { rounds: 1, count: 120 },
    deliveries: { burstCount: 100, rounds: 1, warmUp: { slow: 20, fast: 100 }, steadySeconds: 1 },
    fleet: { rounds: 1, perSecond: 25, steadyCount: 200, burstCount: 200 },
    analytics: { sizes: [2_000, 20_000], reads: 50 },
    bulk: {
      ...{ lines: 5_000, members: 20, settledLines: 300 },
      engine: { rounds: 1, lines: 4_000 },
    },
    fairness: { lines: 2_000, puts: 20 },
    attacks: { seconds: 6, images: 10 },
    batch: { rounds: 1, rows: 2_000 },
    images: { rounds: 1, counts: { '2 MP': 40, '12 MP': 10 } },
    growth: { sizes: [1_000, 10_000], calls: 40 },
    memory: { restSeconds: 2, loadSeconds: 5, lines: 20_000, applySeconds: 30 },
  },
  full: {
    put: { rounds: 3, warmUpPushes: 2_000, durationMs: 3_000 },
    items: { rounds: 3, count: 334 },
    deliveries: { burstCount: 5_000, rounds: 3, warmUp: { slow: 100, fast: 1_000 }, steadySeconds: 10 },
    fleet: { rounds: 2, perSecond: 50, steadyCount: 1_000, burstCount: 1_000 },
    analytics: { sizes: [2_000, 20_000], reads: 300 },
    bulk: {
      ...{ lines: 50_000, members: 200, settledLines: 2_000 },
      engine: { rounds: 3, lines: 20_000 },
    },
    fairness: { lines: 20_000, puts: 200 },
    attacks: { seconds: 30, images: 40 },
    batch: { rounds: 3, rows: 10_000 },
    images: { rounds: 3, counts: { '2 MP': 400, '12 MP': 120 } },
    growth: { sizes: [1_000, 10_000, 100_000, 1_000_000], calls: 200 },
    memory: { restSeconds: 20, loadSeconds: 30, lines: 1_000_000, applySeconds: 240 },
  },
} as const;

export type Mode = keyof typeof plans;
