import type { BulkSync } from '../../../../../client/generated/types.gen.ts';

type Counts = Pick<BulkSync, 'created' | 'updated' | 'unchanged' | 'failed'>;

/** Lines that are done, with any outcome. */
export const doneOf = ({ created, updated, unchanged, failed }: Counts): number =>
  created + updated + unchanged + failed;

/** Whether the bulk sync has ended. */
export const isOver = ({ state }: Pick<BulkSync, 'state'>): boolean => state === 'completed' || state === 'cancelled';

/** The progress of a bulk sync at a moment, in milliseconds since 1970. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

export interface Pace {
  readonly perSecond: number;
  readonly secondsLeft: number;
}

/** Older samples say little about the present pace. */
const windowMs = 30_000;

/** Adds a sample. Samples that are too old are dropped, except those that a pace needs. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && last.at >= sample.at) return samples;
  const all = [...samples, sample];
  return all.filter(({ at }, place) => sample.at - at <= windowMs || place >= all.length - 2);
}

/** undefined when there are too few samples, or no progress between them. */
export function paceOf(samples: readonly Sample[], total: number): Pace | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const perSecond = ((last.done - first.done) / (last.at - first.at)) * 1_000;
  if (!Number.isFinite(perSecond) || perSecond <= 0) return undefined;
  return { perSecond, secondsLeft: Math.max(0, total - last.done) / perSecond };
}

export interface Duration {
  readonly unit: 'second' | 'minute' | 'hour';
  readonly count: number;
}

/** In the unit in which people would say it, at least 1. */
export function roundDuration(seconds: number): Duration {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return { unit: 'second', count: whole };
  const minutes = Math.round(whole / 60);
  return minutes < 60 ? { unit: 'minute', count: minutes } : { unit: 'hour', count: Math.round(minutes / 60) };
}
