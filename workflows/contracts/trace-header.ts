import { defaultPayloadConverter, type Headers } from '@temporalio/common';

/** Header of starts, signals and activities with their trace (W3C `traceparent`). Only set when traces are collected. */
const traceHeader = 'itembridge-trace';

export type Carrier = Readonly<Record<string, string>>;

/** Adds the carrier of a trace to `headers`; an empty carrier adds nothing. */
export const withCarrier = (headers: Headers, carrier: Carrier): Headers =>
  Object.keys(carrier).length === 0
    ? headers
    : { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(carrier) };

/** Returns the trace part of `headers`, unchanged. */
export function traceOf(headers: Headers): Headers {
  const payload = headers[traceHeader];
  return payload === undefined ? {} : { [traceHeader]: payload };
}

/** Returns an empty carrier when the headers have no trace. */
export function carrierIn(headers: Headers): Carrier {
  const payload = headers[traceHeader];
  if (payload === undefined) return {};
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
