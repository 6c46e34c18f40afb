import { median } from './statistics.ts';

/** One line of the table. For `1/s` more is better, for `ms` and `MB` less. */
export interface BenchCase {
  readonly name: string;
  readonly value: number;
  readonly unit: '1/s' | 'ms' | 'MB';
  /** The same measure of what stands beside it, in the same run; null where nothing comparable exists. */
  readonly floor: number | null;
  /** `value / floor` */
  readonly ratio: number | null;
  /** The `ratio` that is wanted, for `1/s` at least and for `ms` and `MB` at most; null where none is set. */
  readonly goal: number | null;
  /** The `value` that is wanted whatever stands beside it, at least or at most likewise; null where none is set. */
  readonly target: number | null;
  /** Goal and target, as far as they are set. */
  readonly met: boolean | null;
}

export interface BenchResult {
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  /** ISO 8601, when the run began. */
  readonly at: string;
  readonly mode: 'quick' | 'full';
  readonly cases: readonly BenchCase[];
  /** What was left out of this run, and why. */
  readonly notes: readonly string[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** Processes that wanted a core in the minute before the run: well above 0 means that others were at work. */
  readonly loadBefore: number;
}

export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: BenchCase['unit'];
  readonly floor?: number;
  readonly goal?: number;
  readonly target?: number;
}

/** Compares with the floor as measured, before anything is rounded. */
export function toCase({ name, value, unit, floor, goal, target }: Measured): BenchCase {
  const ratio = floor === undefined ? null : value / floor;
  const isEnough = (one: number, wanted: number): boolean => (unit === '1/s' ? one >= wanted : one <= wanted);
  const verdicts = [
    ...(goal === undefined || ratio === null ? [] : [isEnough(ratio, goal)]),
    ...(target === undefined ? [] : [isEnough(value, target)]),
  ];
  return {
    name,
    value: rounded(value),
    unit,
    floor: floor === undefined ? null : rounded(floor),
    ratio: ratio === null ? null : Math.round(ratio * 1000) / 1000,
    goal: goal ?? null,
    target: target ?? null,
    met: verdicts.length === 0 ? null : verdicts.every(Boolean),
  };
}

/** Three digits that count are more than the noise allows. */
const rounded = (value: number): number => (value === 0 ? 0 : Number(value.toPrecision(4)));

/** CPU time for each piece of work, by process. */
interface CpuByProcess {
  readonly cpuMsEachOf: Readonly<Record<string, number>>;
}

/** One case for each process; its floor is the same process of what stands beside it, where that has one. */
export function cpuParts(name: string, rounds: readonly CpuByProcess[], floor: readonly CpuByProcess[]): BenchCase[] {
  return Object.keys(rounds[0]?.cpuMsEachOf ?? {}).map((process) => {
    const beside = cpuOf(floor, process);
    const value = cpuOf(rounds, process) ?? 0;
    return toCase({
      name: `${name}: ${process}`,
      value,
      unit: 'ms',
      ...(beside !== undefined && { floor: beside }),
    });
  });
}

function cpuOf(rounds: readonly CpuByProcess[], process: string): number | undefined {
  const values = rounds.flatMap((round) => round.cpuMsEachOf[process] ?? []);
  return values.length === 0 ? undefined : median(values);
}
