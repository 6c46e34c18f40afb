import type { Recovery } from '../core/webhooks/recovery.ts';
import type { AddressPolicy } from '../platform/public-address-guard.ts';
import type { Logger } from '../platform/logger.ts';
import type { Encryption } from '../security/encryption.ts';
import type { SessionTokens } from '../security/session-token.ts';
import type { StoreConnection } from '../store/connection.ts';
import type { Delivery } from '../store/deliveries.ts';

/** What the use cases around accounts, keys, webhooks, members and connections work with; each takes the part it needs. */
export interface AccountSideContext {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sessions: SessionTokens;
  readonly addressPolicy: AddressPolicy;
  readonly logger: Logger;
  /** Starts durable work beside the answer; the sweep makes good for what is lost. */
  readonly hints: {
    readonly startDelivery: (delivery: Delivery) => void;
    readonly startRecovery: (recovery: Recovery) => void;
  };
  readonly now: () => Date;
  /** A new UUID. */
  readonly newId: () => string;
}
