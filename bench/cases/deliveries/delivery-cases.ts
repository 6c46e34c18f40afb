import { cpuParts, toCase, type BenchCase } from '../../support/result.ts';
import { median } from '../../support/statistics.ts';
import type { SteadyResult, TimedBurst } from './measure-contender.ts';

export interface Result {
  readonly bursts: TimedBurst[];
  /** Of 10/s and of 50/s. */
  readonly steady: SteadyResult[];
}

/** Who was measured. */
export type Results = Partial<Record<'trivial' | 'trivialLocal' | 'lane' | 'bullmq' | 'agenda', Result>>;

const alternatives = { bullmq: 'BullMQ', agenda: 'Agenda' } as const;
const products = ['lane'] as const;
type Product = (typeof products)[number];

/** Of the lane: what the best senders of this kind do on such a machine. */
const laneTargets = { rate: 1_500, cpu: 1, burstP99: 50, steadyP50: 4.4 } as const;

export const deliveryCases = (results: Results): BenchCase[] => [
  ...products.flatMap((product) => [...besideWorkflows(product, results), ...besideQueues(product, results)]),
  ...Object.entries(alternatives).flatMap(([name, label]) =>
    partsOf(label, results[name as keyof typeof alternatives]),
  ),
];

interface Figures {
  readonly rate: number;
  readonly cpu: number;
  readonly burstP50: number;
  readonly burstP99: number;
}

function figuresOf({ bursts }: Result): Figures {
  const middle = (read: (burst: TimedBurst) => number): number => median(bursts.map(read));
  return {
    rate: middle(({ perSecond }) => perSecond),
    cpu: middle(({ cpuMsEach }) => cpuMsEach),
    burstP50: middle(({ p50Ms }) => p50Ms),
    burstP99: middle(({ p99Ms }) => p99Ms),
  };
}

/** Each figure of one beside another's; goals and targets only where they are given. */
function compare(
  name: string,
  { own, beside }: { own: Result; beside: Result },
  wanted: { rateGoal?: number; targets?: typeof laneTargets } = {},
): BenchCase[] {
  const [ours, theirs] = [figuresOf(own), figuresOf(beside)];
  const { rateGoal, targets } = wanted;
  const both = (key: keyof Figures) => ({ value: ours[key], floor: theirs[key], ...(targets && only(targets, key)) });
  return [
    toCase({ name, unit: '1/s', ...both('rate'), ...(rateGoal !== undefined && { goal: rateGoal }) }),
    toCase({ name: `${name}, CPU each`, unit: 'ms', ...both('cpu') }),
    toCase({ name: `${name}, burst, p50`, unit: 'ms', ...both('burstP50') }),
    toCase({ name: `${name}, burst, p99`, unit: 'ms', ...both('burstP99') }),
    ...steadyCases(name, { own, beside }, targets),
  ];
}

const only = (targets: typeof laneTargets, key: keyof Figures): { target?: number } =>
  key === 'burstP50' ? {} : { target: targets[key] };

function steadyCases(
  name: string,
  { own, beside }: { own: Result; beside: Result },
  targets: typeof laneTargets | undefined,
): BenchCase[] {
  const [slow, fast] = ['10/s', '50/s'];
  return [slow, fast].flatMap((rate, index) => {
    const [ours, theirs] = [own.steady[index], beside.steady[index]];
    if (ours === undefined || theirs === undefined) return [];
    const target = rate === fast && targets !== undefined ? { target: targets.steadyP50 } : {};
    return [
      toCase({ name: `${name}, ${rate}, p50`, unit: 'ms', value: ours.p50Ms, floor: theirs.p50Ms, ...target }),
      toCase({ name: `${name}, ${rate}, p99`, unit: 'ms', value: ours.p99Ms, floor: theirs.p99Ms }),
    ];
  });
}

function besideWorkflows(product: Product, { trivial, trivialLocal, ...results }: Results): BenchCase[] {
  const own = results[product];
  if (own === undefined || trivial === undefined || trivialLocal === undefined) return [];
  const name = `deliveries by ${product}`;
  const targets = product === 'lane' ? { targets: laneTargets } : {};
  const [ours, local] = [figuresOf(own), figuresOf(trivialLocal)];
  return [
    ...compare(name, { own, beside: trivial }, { rateGoal: 0.9, ...targets }),
    toCase({ name: `${name}, beside local activity`, unit: '1/s', value: ours.rate, floor: local.rate }),
    ...cpuParts(`${name}, CPU each`, own.bursts, trivial.bursts),
  ];
}

function besideQueues(product: Product, results: Results): BenchCase[] {
  const own = results[product];
  if (own === undefined) return [];
  return Object.entries(alternatives).flatMap(([key, label]) => {
    const beside = results[key as keyof typeof alternatives];
    return beside === undefined ? [] : compare(`deliveries by ${product}, beside ${label}`, { own, beside });
  });
}

const partsOf = (label: string, result: Result | undefined): BenchCase[] =>
  result === undefined ? [] : cpuParts(`deliveries by ${label}, CPU each`, result.bursts, []);
