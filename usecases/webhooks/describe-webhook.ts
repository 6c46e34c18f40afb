import { warningOf, type EndpointWarning } from '../../core/webhooks/endpoint-life.ts';
import type { WebhookEndpointRow } from '../../store/webhooks/webhook-endpoints.ts';

interface WebhookFields {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly scope: 'self' | 'members';
  readonly active: boolean;
  readonly failCount: number;
  readonly description: string;
  readonly autoRecover: boolean;
  /** While five or ten deliveries in a row were given up, and it is not yet disabled. */
  readonly warning: EndpointWarning | null;
  readonly lastError: string | null;
  readonly lastFailureAt: string | null;
  readonly disabledReason: string | null;
  readonly disabledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WebhookView extends WebhookFields {
  readonly secretHint: string;
}

/** Only the answers of create and rotate-secret are of this type. */
export interface WebhookWithSecret extends WebhookFields {
  readonly secret: string;
}

export const describeWebhook = (row: WebhookEndpointRow): WebhookView => ({
  ...fieldsOf(row),
  secretHint: row.secretHint,
});

export const describeWebhookWithSecret = (row: WebhookEndpointRow, secret: string): WebhookWithSecret => ({
  ...fieldsOf(row),
  secret,
});

const fieldsOf = (row: WebhookEndpointRow): WebhookFields => ({
  id: row._id,
  url: row.url,
  eventTypes: row.eventTypes,
  scope: row.scope,
  active: row.active,
  failCount: row.failCount,
  description: row.description,
  autoRecover: row.autoRecover,
  warning: warningOf(row),
  lastError: row.lastError,
  lastFailureAt: row.lastFailureAt?.toISOString() ?? null,
  disabledReason: row.disabledReason,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
