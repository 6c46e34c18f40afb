import test from 'ava';
import { observeRequests } from '../../compose/observe.ts';
import { createServiceMetrics } from '../../compose/metrics.ts';
import type { SpanOptions, Tracing } from '../../platform/tracing.ts';

const sent = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', tracestate: 'a=b' };

/** The parent that a request's span was opened with. */
function parentOf(trustsCallers: boolean): SpanOptions['parent'] {
  const opened: SpanOptions[] = [];
  const tracing = {
    open: (options: SpanOptions) => {
      opened.push(options);
      return { run: <Result>(work: () => Result) => work(), end: () => undefined };
    },
  } as unknown as Tracing;
  observeRequests(createServiceMetrics(), tracing, { trustsCallers }).begin({ method: 'PUT', headers: sent });
  return opened[0]?.parent;
}

test('a stranger decides neither which trace its request belongs to nor whether it is kept', (t) => {
  t.deepEqual(parentOf(false), {});
});

test('where callers are trusted, their trace goes on', (t) => {
  t.deepEqual(parentOf(true), sent);
});
