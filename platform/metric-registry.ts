import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Name, help text and labels of a metric. Labels must have a closed set of values, because each value is its own series. */
export interface MetricDescription<Label extends string> {
  /** Ends with the unit: `_total`, `_seconds`, `_bytes`, `_ratio`. */
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
  /** Removes every series, so that no outdated one stays. */
  clear(): void;
}

export interface DurationMetric<Label extends string> {
  observe(labels: Labels<Label>, seconds: number): void;
}

/** The metrics of one process. They are not pushed: a scraper reads {@link Metrics.expose}. */
export interface Metrics {
  count<Label extends string = never>(description: MetricDescription<Label>): CountMetric<Label>;
  gauge<Label extends string = never>(description: MetricDescription<Label>): GaugeMetric<Label>;
  /** `bounds`: upper bounds of the buckets in seconds, ascending. */
  duration<Label extends string = never>(
    description: MetricDescription<Label> & { readonly bounds: readonly number[] },
  ): DurationMetric<Label>;
  /**
   * Adds processor, memory, garbage collection and event loop of this process, under the usual names for Node programs.
   */
  observeProcess(): void;
  /** Text exposition format 0.0.4. */
  expose(): Promise<string>;
  readonly names: () => readonly string[];
}

/** Uses its own registry, never the global one, so that one process may hold several (tests do). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const own = <Label extends string>({ name, help, labels = [] }: MetricDescription<Label>) => ({
    name,
    help,
    registers,
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
