import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { OpenSpan, SpanOptions, Tracing } from './tracing.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Loaded by openTracing only. At most one per process, because it sets OpenTelemetry's globals. */
export function createOpenTelemetry(url: string, service: string): Tracing {
  // The environment (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES) is merged last, so that it wins.
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  const tracer = provider.getTracer('itembridge');
  const open = ({ name, kind, parent, attributes = {} }: SpanOptions): OpenSpan => {
    const outside = parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, parent);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, outside);
    const inside = trace.setSpan(outside, span);
    return { run: (work) => context.with(inside, work), end: (outcome) => end(span, outcome) };
  };
  return {
    open,
    span: async (options, work) => {
      const opened = open(options);
      try {
        const result = await opened.run(work);
        opened.end({});
        return result;
      } catch (error) {
        opened.end({ error });
        throw error;
      }
    },
    carrier: () => {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      return carrier;
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Records only the name of an error, because messages may quote partners' data. */
function end(span: Span, { name, attributes, error }: Parameters<OpenSpan['end']>[0]): void {
  if (name !== undefined) span.updateName(name);
  if (attributes !== undefined) span.setAttributes({ ...attributes });
  if (error !== undefined) {
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
