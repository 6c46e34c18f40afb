import type { ExpectedDelivery } from '../expected-outcome.ts';
import { verifyWebhook, type WebhookEvent } from '../verify-webhook/verify.ts';
import type { Received } from './observed-system.ts';
import { shortened } from './wait-until.ts';

/** A registered endpoint with the secret that only its owner knows. */
export interface KnownEndpoint {
  readonly path: string;
  readonly scope: 'self' | 'members';
  readonly secret: string;
}

export interface DeliveryReport {
  /** Each with numbers or names; empty when everything is as it must be. */
  readonly problems: readonly string[];
  /** Distinct events by `<scope> <type>`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly verified: number;
  /** Deliveries beyond the first of an event at an endpoint: allowed, receivers drop them. */
  readonly repeats: number;
}

interface Arrival {
  readonly path: string;
  readonly event: WebhookEvent;
  readonly at: string;
}

export const keyOf = (path: string, eventType: string, externalId: string): string =>
  `${path} ${eventType} ${externalId}`;

/** What of the expected has not come yet; trusts the bytes (the signatures are checked at the end). */
export function missingDeliveries(received: readonly Received[], expected: readonly ExpectedDelivery[]): string[] {
  const came = new Set(
    received.map(({ path, rawBase64 }) => {
      const { eventType, data } = JSON.parse(Buffer.from(rawBase64, 'base64').toString('utf8')) as WebhookEvent;
      return keyOf(path, eventType, data.externalId);
    }),
  );
  return expected
    .map(({ path, eventType, externalId }) => keyOf(path, eventType, externalId))
    .filter((key) => !came.has(key));
}

/** Checks every delivery that came, both ways: signatures, whose it is, nothing missing, nothing that should not be. */
export function checkDeliveries(
  received: readonly Received[],
  expected: readonly ExpectedDelivery[],
  endpoints: readonly KnownEndpoint[],
): DeliveryReport {
  const problems: string[] = [];
  const arrivals = received.flatMap((delivery) => verifiedArrival(delivery, { endpoints, problems }));
  const wanted = new Map(
    expected.map((delivery) => [keyOf(delivery.path, delivery.eventType, delivery.externalId), delivery]),
  );
  const came = new Map(arrivals.map(({ path, event }) => [keyOf(path, event.eventType, event.data.externalId), event]));
  const missing = [...wanted.keys()].filter((key) => !came.has(key));
  const unexpected = [...came.keys()].filter((key) => !wanted.has(key));
  if (missing.length > 0) problems.push(`${missing.length} webhooks did not come: ${shortened(missing)}`);
  if (unexpected.length > 0)
    problems.push(`${unexpected.length} webhooks came that should not: ${shortened(unexpected)}`);
  problems.push(...identityProblems(arrivals), ...memberProblems(arrivals, { wanted, endpoints }));
  const distinct = new Set(arrivals.map(({ path, event }) => `${path} ${event.eventId}`));
  return {
    problems,
    counts: countsOf(came, endpoints),
    verified: arrivals.length,
    repeats: arrivals.length - distinct.size,
  };
}

function verifiedArrival(
  delivery: Received,
  { endpoints, problems }: { endpoints: readonly KnownEndpoint[]; problems: string[] },
): Arrival[] {
  const { path, headers, rawBase64, at } = delivery;
  const endpoint = endpoints.find((known) => known.path === path);
  try {
    if (endpoint === undefined) throw new Error('nobody registered this address');
    return [
      {
        path,
        at,
        event: verifyWebhook(Buffer.from(rawBase64, 'base64'), headers, {
          secret: endpoint.secret,
          now: Date.parse(at),
        }),
      },
    ];
  } catch (error) {
    problems.push(`a delivery to ${path} can't be trusted: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

/** One occurrence has one eventId, at every endpoint and in every repeat, and no id stands for two occurrences. */
function identityProblems(arrivals: readonly Arrival[]): string[] {
  const idsOf = new Map<string, Set<string>>();
  const occurrencesOf = new Map<string, Set<string>>();
  for (const { event } of arrivals) {
    const occurrence = `${event.eventType} ${event.data.externalId}`;
    idsOf.set(occurrence, (idsOf.get(occurrence) ?? new Set()).add(event.eventId));
    occurrencesOf.set(event.eventId, (occurrencesOf.get(event.eventId) ?? new Set()).add(occurrence));
  }
  const many = (sets: Map<string, Set<string>>): string[] =>
    [...sets].filter(([, values]) => values.size > 1).map(([name]) => name);
  return [
    ...many(idsOf).map((occurrence) => `${occurrence} came under several event ids`),
    ...many(occurrencesOf).map((id) => `event id ${id} stands for several events`),
  ];
}

/** `memberExternalId` names the member on members-scope deliveries and is on no other. */
function memberProblems(
  arrivals: readonly Arrival[],
  { wanted, endpoints }: { wanted: ReadonlyMap<string, ExpectedDelivery>; endpoints: readonly KnownEndpoint[] },
): string[] {
  const wrong = arrivals.filter(({ path, event }) => {
    const memberExternalId = event.data.account?.memberExternalId;
    const owner = wanted.get(keyOf(path, event.eventType, event.data.externalId))?.account ?? undefined;
    const isForReseller = endpoints.find((known) => known.path === path)?.scope === 'members';
    return memberExternalId !== (isForReseller ? owner : undefined);
  });
  if (wrong.length === 0) return [];
  return [
    `memberExternalId is wrong on ${wrong.length} deliveries: ${shortened(wrong.map(({ path, event }) => keyOf(path, event.eventType, event.data.externalId)))}`,
  ];
}

function countsOf(
  came: ReadonlyMap<string, WebhookEvent>,
  endpoints: readonly KnownEndpoint[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [key, { eventType }] of came) {
    const scope = endpoints.find(({ path }) => key.startsWith(`${path} `))?.scope ?? 'self';
    counts[`${scope} ${eventType}`] = (counts[`${scope} ${eventType}`] ?? 0) + 1;
  }
  return counts;
}
