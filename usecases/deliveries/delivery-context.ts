import type { AccountId, EndpointId } from '../../core/ids.ts';
import type { WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Encryption } from '../../security/encryption.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Delivery, DeliveryState } from '../../store/deliveries/deliveries.ts';
import type { Ring } from '../../store/dispatch/doorbell.ts';
import type { DeliveryAttempt } from '../../store/deliveries/delivery-attempts.ts';
import type { ReceiverSlots } from './receiver-slots.ts';

/** What attempts need. One for each worker process: it alone knows the receivers' slots. */
export interface DeliveryContext {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sender: WebhookSender;
  readonly slots: ReceiverSlots;
  /** When one of a target's retries has ended, what waits in its line may go on. */
  readonly ring: Ring;
  /** Reservations carry it, so that others find those of a process that has ended. */
  readonly workerId: string;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
  /** Told of what happens, to count it. */
  readonly observer?: DeliveryObserver;
  readonly now: () => Date;
}

/** An attempt whose outcome is stored. */
export interface RecordedAttempt {
  readonly attempt: DeliveryAttempt;
  readonly state: DeliveryState;
  readonly delivery: Delivery;
}

export interface DeliveryObserver {
  readonly attempted: (recorded: RecordedAttempt) => void;
  /** Again when the transaction is made again. */
  readonly endpointChanged: (change: 'warned' | 'disabled') => void;
}

/** What is left of a delivery after an attempt, or instead of one. */
export type DeliveryStep =
  | { readonly kind: 'closed' }
  | { readonly kind: 'wait'; readonly forMs: number; readonly lastError: string };

/** The target of a delivery. */
export interface TargetName {
  readonly target: string;
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
}
