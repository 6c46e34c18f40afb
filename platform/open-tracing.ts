import type { Tracing } from './tracing.ts';

/**
 * Tracing to the OTLP/HTTP collector at `url` (OTEL_EXPORTER_OTLP_ENDPOINT). Returns undefined for an empty `url`, and then loads
 * no OpenTelemetry code. `service` is the service name unless OTEL_SERVICE_NAME is set; the other OTEL_ variables apply as well.
 */
export async function openTracing(url: string, service: string): Promise<Tracing | undefined> {
  if (url === '') return undefined;
  const { createOpenTelemetry } = await import('./tracing-open-telemetry.ts');
  return createOpenTelemetry(url, service);
}
