import { defaultPayloadConverter, type Headers } from '@temporalio/common';

/**
 * Header of starts, signals and activities that names the trace they belong to (W3C `traceparent`). Only there where somebody
 * collects traces.
 */
const traceHeader = 'itembridge-trace';

export type Carrier = Readonly<Record<string, string>>;

/** `headers` with the carrier of a trace; as they are when it is empty. */
export const withCarrier = (headers: Headers, carrier: Carrier): Headers =>
  Object.keys(carrier).length === 0
    ? headers
    : { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(carrier) };

/** The part of `headers` that names a trace, to be sent on as it is. */
export function traceOf(headers: Headers): Headers {
  const payload = headers[traceHeader];
  return payload === undefined ? {} : { [traceHeader]: payload };
}

/** Empty when they name no trace. */
export function carrierIn(headers: Headers): Carrier {
  const payload = headers[traceHeader];
  if (payload === undefined) return {};
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
