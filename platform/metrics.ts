import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What a metric is called, what it says and what it is divided by. Labels are closed sets: each value is a series of its own. */
export interface MetricDescription<Label extends string> {
  /** With the unit last: `_total`, `_seconds`, `_bytes`, `_ratio`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

export interface CountMetric<Label extends string> {
  add(labels: Labels<Label>, count?: number): void;
}

export interface GaugeMetric<Label extends string> {
  set(labels: Labels<Label>, value: number): void;
  /** Forgets every series, so that none stays that is true no longer. */
  clear(): void;
}

export interface DurationMetric<Label extends string> {
  observe(labels: Labels<Label>, seconds: number): void;
}

/** The numbers of one process. Nothing leaves it by itself: whoever wants them reads {@link Metrics.expose}. */
export interface Metrics {
  count<Label extends string = never>(description: MetricDescription<Label>): CountMetric<Label>;
  gauge<Label extends string = never>(description: MetricDescription<Label>): GaugeMetric<Label>;
  /** `bounds`: upper bounds of the buckets in seconds, ascending. */
  duration<Label extends string = never>(
    description: MetricDescription<Label> & { readonly bounds: readonly number[] },
  ): DurationMetric<Label>;
  /** Adds processor, memory, garbage collection and event loop of this process, under the names that every Node program has. */
  observeProcess(): void;
  /** Text exposition format 0.0.4. */
  expose(): Promise<string>;
  readonly names: () => readonly string[];
}

/** A registry of its own, never the global one, so that one process may hold several (tests do). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const own = <Label extends string>({ name, help, labels = [] }: MetricDescription<Label>) => ({
    ...{ name, help, registers },
    labelNames: [...labels],
  });
  return {
    count: (description) => {
      const counter = new Counter(own(description));
      return { add: (labels, count = 1) => counter.inc(labels, count) };
    },
    gauge: (description) => {
      const gauge = new Gauge(own(description));
      return { set: (labels, value) => gauge.set(labels, value), clear: () => gauge.reset() };
    },
    duration: ({ bounds, ...description }) => {
      const histogram = new Histogram({ ...own(description), buckets: [...bounds] });
      return { observe: (labels, seconds) => histogram.observe(labels, seconds) };
    },
    observeProcess: () => collectDefaultMetrics({ register: registry }),
    expose: () => registry.metrics(),
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
  };
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';
