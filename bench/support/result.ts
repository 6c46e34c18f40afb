import { sum, type CpuTimes } from './cpu.ts';

/** Of these, more is better only for `1/s`. */
type Unit = '1/s' | 'ms' | 's' | 'MB' | '% of a core' | 'commands/s';

/** One line of the table. */
export interface BenchCase {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** The same measure of what stands beside it, in the same run; null where nothing comparable exists. */
  readonly floor: number | null;
  /** `value / floor` */
  readonly ratio: number | null;
  /** The `ratio` that is wanted, for `1/s` at least and otherwise at most; null where none is set. */
  readonly goal: number | null;
  /** The `value` that is wanted whatever stands beside it, at least or at most likewise; null where none is set. */
  readonly target: number | null;
  /** Goal and target, as far as they are set. */
  readonly met: boolean | null;
}

export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  readonly floor?: number | undefined;
  readonly goal?: number | undefined;
  readonly target?: number | undefined;
}

/** Compares with the floor as measured, before anything is rounded. */
export function toCase({ name, value, unit, floor, goal, target }: Measured): BenchCase {
  const ratio = floor === undefined || floor === 0 ? null : value / floor;
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

/** Many pieces of the same work: how many were done in a second, and what each took of CPU time. */
export interface Round {
  readonly perSecond: number;
  readonly cpuMsEachOf: CpuTimes;
}

/** A round of events that were on their way to receivers. */
export interface Played extends Round {
  /** From just before each event was handed over to its arrival, in ms. */
  readonly durations: readonly number[];
}

/** Over all rounds: the events of one are as good as those of another. */
export const spreadOf = (rounds: readonly Played[], percent: number): number =>
  percentile(
    rounds.flatMap(({ durations }) => durations),
    percent,
  );

type Goals = Pick<Measured, 'goal' | 'target'>;

/** What is wanted of the rate and of the CPU time each. */
export interface Wanted {
  readonly rate?: Goals;
  readonly cpu?: Goals;
}

type CpuRound = Pick<Round, 'cpuMsEachOf'>;

/** Rounds of what is measured, and of what stands beside it; `parts` adds the CPU time of each process. */
interface Rounds<One> {
  readonly own: readonly One[];
  readonly floor?: readonly One[];
  readonly parts?: boolean;
}

/** Rate and CPU time of some rounds beside those of others. */
export function roundCases(name: string, rounds: Rounds<Round>, { rate, cpu }: Wanted = {}): BenchCase[] {
  const { own, floor = [] } = rounds;
  const read = ({ perSecond }: Round): number => perSecond;
  return [
    toCase({ name, value: middle(own, read), unit: '1/s', floor: middleOrNone(floor, read), ...rate }),
    ...cpuCases(name, rounds, cpu),
  ];
}

/** The CPU time alone. The floor of a process is the same process of what stands beside it, where that has one. */
export function cpuCases(
  name: string,
  { own, floor = [], parts = true }: Rounds<CpuRound>,
  wanted?: Goals,
): BenchCase[] {
  const title = `${name}, CPU each`;
  const all = ({ cpuMsEachOf }: CpuRound): number => sum(cpuMsEachOf);
  const processes = parts ? Object.keys(own[0]?.cpuMsEachOf ?? {}) : [];
  return [
    toCase({ name: title, value: middle(own, all), unit: 'ms', floor: middleOrNone(floor, all), ...wanted }),
    ...processes.flatMap((process) => {
      const one = ({ cpuMsEachOf }: CpuRound): number => cpuMsEachOf[process] ?? 0;
      const beside = floor.filter(({ cpuMsEachOf }) => process in cpuMsEachOf);
      const both = { value: middle(own, one), floor: middleOrNone(beside, one) };
      // One that has nothing to do with it would only lengthen the table.
      return both.value === 0 ? [] : [toCase({ name: `${title}: ${process}`, unit: 'ms', ...both })];
    }),
  ];
}

export const middle = <One>(many: readonly One[], read: (one: One) => number): number => median(many.map(read));
const middleOrNone = <One>(many: readonly One[], read: (one: One) => number): number | undefined =>
  many.length === 0 ? undefined : middle(many, read);

/** The middle value; of an even number the mean of the two in the middle. Throws when there is none. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const half = sorted.length / 2;
  return Number.isInteger(half) ? (at(sorted, half - 1) + at(sorted, half)) / 2 : at(sorted, Math.floor(half));
}

/** Nearest rank: the smallest value that at least `percent` % of all are not above. Throws when there is none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = ascending(values);
  return at(sorted, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1));
}

const ascending = (values: readonly number[]): number[] => [...values].sort((left, right) => left - right);

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}
