import type { RequestObserver } from '../platform/request-observer.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/**
 * Counts every request, and has it be the first span of a trace, or the next one of its caller's (`traceparent`) where callers are
 * trusted: anybody could else have every trace kept, none, or all in one.
 */
export function observeRequests(
  metrics: ServiceMetrics,
  tracing: Tracing | undefined,
  { trustsCallers }: { readonly trustsCallers: boolean },
): RequestObserver {
  let inFlight = 0;
  const changeInFlight = (by: number): void => {
    inFlight += by;
    metrics.requestsInFlight.set({}, inFlight);
  };
  return {
    begin: ({ method, headers }) => {
      changeInFlight(1);
      const span = tracing?.open({ name: method, kind: 'server', parent: trustsCallers ? carrierOf(headers) : {} });
      return {
        run: (next) => (span === undefined ? next() : span.run(next)),
        end: ({ route, status, code, isAborted, failure, seconds }) => {
          changeInFlight(-1);
          const labels = { route, method: knownMethod(method) };
          metrics.requests.add({ ...labels, status: String(status) });
          metrics.requestSeconds.observe(labels, seconds);
          if (isAborted) metrics.requestsAborted.add({});
          if (code !== undefined) metrics.refusals.add({ code });
          span?.end({
            name: `${method} ${route}`,
            attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
            ...(status >= 500 && { error: failure ?? new Error(String(status)) }),
          });
        },
      };
    },
  };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Anybody may send any method. */
const knownMethod = (method: string): string => (methods.has(method) ? method : 'other');

function carrierOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
  };
}
