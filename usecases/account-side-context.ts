import type { BulkSync } from '../core/bulk-syncs/bulk-sync.ts';
import type { Item } from '../core/items/item.ts';
import type { StorageQuota } from '../core/quota/storage-quota.ts';
import type { Scope } from '../core/scope.ts';
import type { Recovery } from '../core/webhooks/recovery.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { AddressPolicy } from '../platform/public-address-guard.ts';
import type { Logger } from '../platform/logger.ts';
import type { DeviceTokens } from '../security/device-token.ts';
import type { Encryption } from '../security/encryption.ts';
import type { PageTokens } from '../security/page-tokens.ts';
import type { Passwords } from '../security/password.ts';
import type { SessionTokens } from '../security/session-token.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import type { SignInLimits } from './accounts/sign-in-limits.ts';

/** What the use cases around accounts, keys, webhooks, members and connections work with; each takes the part it needs. */
export interface AccountSideContext {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sessions: SessionTokens;
  readonly devices: DeviceTokens;
  readonly pageTokens: PageTokens;
  readonly passwords: Passwords;
  readonly signInLimits: SignInLimits;
  readonly addressPolicy: AddressPolicy;
  readonly logger: Logger;
  /** Starts durable work beside the answer; the sweep makes good for what is lost. */
  readonly hints: {
    readonly startDelivery: (delivery: Delivery) => void;
    readonly startRecovery: (recovery: Recovery) => void;
    readonly startBulkSync: (bulk: BulkSync) => void;
    readonly nudgeItem: (item: Item) => void;
  };
  /** The platform's fee on sales, in hundredths of a per cent. */
  readonly platformFeeBps: number;
  readonly storageQuota: StorageQuota;
  readonly payments: Payments;
  /** Whether the caller's key or session still counts: asked right before each write. Throws Refusal as confirmCredential does. */
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  /** Base of every address shown to people, without a slash at the end. */
  readonly publicUrl: string;
  readonly now: () => Date;
  /** A new UUID. */
  readonly newId: () => string;
}
