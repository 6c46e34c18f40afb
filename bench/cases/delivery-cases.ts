import { cpuCases, roundCases, spreadOf, toCase, type BenchCase, type Played, type Wanted } from '../support/result.ts';

/** Bursts by the number of publishers, each with one event under way, and events at a steady pace. */
export type Results = Readonly<Record<64 | 16 | 'steady', Played[]>>;
export const publishers = [64, 16] as const;
export const perSecond = 50;

interface AllResults {
  readonly product: Results;
  readonly floor: Results;
  /** null where they are not installed. */
  readonly bullmq: Results | null;
  readonly outpost: Results | null;
}

/** `p50` and `p99` are what is wanted of the time from event to receiver, in ms. */
type Goals = Readonly<Partial<Record<keyof Results, Wanted & { readonly p50?: number; readonly p99?: number }>>>;

const targets: Goals = {
  64: { rate: { target: 3_000 }, cpu: { target: 0.45 } },
  16: { rate: { target: 2_300 }, cpu: { target: 0.55 } },
  steady: { cpu: { target: 8 }, p50: 6, p99: 14 },
};
const besideOutpost: Goals = { 64: { rate: { goal: 1.8 }, cpu: { goal: 0.5 } }, 16: { rate: { goal: 1.5 } } };

export function deliveryCases({ product, floor, bullmq, outpost }: AllResults): BenchCase[] {
  return [
    ...casesOf('deliveries', { product, other: floor, parts: true }, targets),
    ...(bullmq === null ? [] : casesOf('deliveries beside BullMQ', { product, other: bullmq, parts: false }, {})),
    ...(outpost === null
      ? []
      : casesOf('deliveries beside Outpost', { product, other: outpost, parts: false }, besideOutpost)),
  ];
}

function casesOf(
  name: string,
  { product, other, parts }: { product: Results; other: Results; parts: boolean },
  goals: Goals,
): BenchCase[] {
  const of = (key: keyof Results) => ({ own: product[key], floor: other[key], parts });
  const spread = (title: string, key: keyof Results): BenchCase[] =>
    ([50, 99] as const).map((percent) =>
      toCase({
        name: `${title}, p${percent}`,
        value: spreadOf(product[key], percent),
        unit: 'ms',
        floor: spreadOf(other[key], percent),
        target: goals[key]?.[`p${percent}`],
      }),
    );
  const steady = `${name}, ${perSecond}/s`;
  return [
    ...publishers.flatMap((atOnce) => {
      const title = `${name}, burst, ${atOnce} publishers`;
      return [...roundCases(title, of(atOnce), goals[atOnce]), ...spread(title, atOnce)];
    }),
    ...spread(steady, 'steady'),
    ...cpuCases(steady, of('steady'), goals.steady?.cpu),
  ];
}
