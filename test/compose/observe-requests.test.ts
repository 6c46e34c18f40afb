import test from 'ava';
import { observeRequests } from '../../compose/observe.ts';
import { createServiceMetrics } from '../../compose/service-metrics.ts';
import type { SpanOptions, Tracing } from '../../platform/tracing.ts';

const sent = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', tracestate: 'a=b' };

const own = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** The parent that a request's span was opened with, and the trace of what the request causes. */
function traceOf(trustsCallers: boolean): { parent: SpanOptions['parent']; caused: unknown } {
  const opened: SpanOptions[] = [];
  let isInside = false;
  const tracing = {
    open: (options: SpanOptions) => {
      opened.push(options);
      const run = <Result>(work: () => Result): Result => {
        isInside = true;
        return work();
      };
      return { run, end: () => undefined };
    },
    carrier: () => (isInside ? own : {}),
  } as unknown as Tracing;
  const observer = observeRequests(createServiceMetrics(), tracing, { trustsCallers });
  const { trace: caused } = observer.begin({ method: 'PUT', headers: sent });
  return { parent: opened[0]?.parent, caused };
}

test('a stranger decides neither which trace its request belongs to nor whether it is kept', (t) => {
  t.deepEqual(traceOf(false).parent, {});
});

test('where callers are trusted, their trace goes on', (t) => {
  t.deepEqual(traceOf(true).parent, sent);
});

test('what a request causes belongs to its own span, and to no trace where none are collected', (t) => {
  t.deepEqual(traceOf(false).caused, own);
  const { trace } = observeRequests(createServiceMetrics(), undefined, { trustsCallers: false }).begin({
    method: 'PUT',
    headers: sent,
  });
  t.is(trace, undefined);
});
