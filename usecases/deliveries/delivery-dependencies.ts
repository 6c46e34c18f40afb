import type { AccountId } from '../../core/ids.ts';
import type { EndpointLife } from '../../core/webhooks/endpoint-life.ts';
import type { WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { Completion, Delivery, DeliveryStore } from '../../store/deliveries/deliveries.ts';
import type { Destination } from '../../store/webhooks/webhook-targets.ts';
import type { EndpointHealth } from './endpoint-health.ts';

/** What the delivery's workflow does next. */
export type DeliveryStep =
  | { readonly kind: 'closed' }
  | { readonly kind: 'wait'; readonly forMs: number; readonly lastError: string; readonly why?: HeldUp };

/** What an operator reads while a delivery waits; left out for what is over within seconds. */
export interface HeldUp {
  readonly reason: 'receiver' | 'receiver_slow';
  /** Attempts made so far. */
  readonly attempts: number;
  /** Endpoint id, or `account` for the account-level URL. */
  readonly endpoint: string;
  /** How the reseller of the account that the event is about calls it; null when it has none. */
  readonly member: string | null;
}

export interface DeliveryDependencies {
  readonly deliveries: DeliveryStore;
  readonly findDestination: (delivery: Delivery) => Promise<Destination | null>;
  /** What to send now; null when a members-scope target's reseller manages the account no longer (protocol 13). */
  readonly presentBody: (delivery: Delivery) => Promise<Buffer | null>;
  readonly sign: (destination: Destination, delivery: Delivery, sentAt: Date) => Readonly<Record<string, string>>;
  readonly sender: WebhookSender;
  readonly health: Pick<EndpointHealth, 'tryBegin'>;
  /** Bookkeeping of the endpoint, in the transaction that closes the delivery; the account-level URL has none. */
  readonly changeEndpoint: (delivery: Delivery, next: (life: EndpointLife) => EndpointLife) => Completion['alsoWrite'];
  /** Says what was recorded: one line an attempt. */
  readonly tell: (recorded: Pick<Completion, 'attempt' | 'state'> & { readonly delivery: Delivery }) => void;
  /** For {@link HeldUp}; left out: nobody is told. */
  readonly memberOf?: (account: AccountId) => Promise<string | null>;
  readonly now: () => Date;
}
