import type { Tracing } from './tracing.ts';

/**
 * Tracing to the OTLP/HTTP collector at `url` (OTEL_EXPORTER_OTLP_ENDPOINT), or undefined where none is named: then nothing of
 * OpenTelemetry is loaded. `service` is the name unless OTEL_SERVICE_NAME says another; the other OTEL_ variables count as well.
 */
export async function openTracing(url: string, service: string): Promise<Tracing | undefined> {
  if (url === '') return undefined;
  const { createOpenTelemetry } = await import('./tracing-open-telemetry.ts');
  return createOpenTelemetry(url, service);
}
