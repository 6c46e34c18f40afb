// How much of each is measured: `quick` shows that it works, `middle` gives figures for some groups, `full` for all. Most of the time of a
// run are events that are refused for a quarter of a minute each.
export const plans = {
  quick: {
    items: { rounds: 1, count: 200, webhookSeconds: 4 },
    fairness: { rounds: 1, due: 1_600, lines: 2_000, puts: 20 },
    deliveries: { rounds: 1, burstCount: 1_000, warmUp: 500, steadySeconds: 4 },
    receivers: { rounds: 1, fleet: { steady: 200, burst: 400 }, dead: 4, flood: 60, moodySeconds: 4 },
    idle: { restSeconds: 2, seconds: 8 },
    images: { rounds: 1, counts: { '2 MP': 42, '12 MP': 12 } },
    neighbours: { images: 12 },
    put: { rounds: 1, warmUpPushes: 600, durationMs: 1_500 },
    bulk: { lines: 2_000, members: 20 },
  },
  middle: {
    items: { rounds: 3, count: 800, webhookSeconds: 12 },
    fairness: { rounds: 3, due: 1_600, lines: 10_000, puts: 40 },
    deliveries: { rounds: 2, burstCount: 5_000, warmUp: 2_000, steadySeconds: 12 },
    receivers: { rounds: 1, fleet: { steady: 1_000, burst: 2_000 }, dead: 20, flood: 500, moodySeconds: 10 },
    idle: { restSeconds: 10, seconds: 30 },
    images: { rounds: 2, counts: { '2 MP': 102, '12 MP': 42 } },
    neighbours: { images: 25 },
    put: { rounds: 2, warmUpPushes: 1_500, durationMs: 2_500 },
    bulk: { lines: 20_000, members: 80 },
  },
  full: {
    items: { rounds: 3, count: 1_200, webhookSeconds: 20 },
    fairness: { rounds: 5, due: 1_600, lines: 20_000, puts: 100 },
    deliveries: { rounds: 3, burstCount: 5_000, warmUp: 2_000, steadySeconds: 20 },
    receivers: { rounds: 2, fleet: { steady: 1_000, burst: 2_000 }, dead: 40, flood: 500, moodySeconds: 15 },
    idle: { restSeconds: 15, seconds: 30 },
    images: { rounds: 3, counts: { '2 MP': 201, '12 MP': 81 } },
    neighbours: { images: 40 },
    put: { rounds: 3, warmUpPushes: 2_000, durationMs: 3_000 },
    bulk: { lines: 20_000, members: 80 },
  },
} as const;

export type Mode = keyof typeof plans;
