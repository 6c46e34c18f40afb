import type { AddressPolicy } from '../platform/public-address-guard.ts';
import type { Logger } from '../platform/logger.ts';
import type { Encryption } from '../security/encryption.ts';
import type { SessionTokens } from '../security/session-token.ts';
import type { StoreConnection } from '../store/connection.ts';

/** What the use cases around accounts, keys, webhooks, members and connections work with; each takes the part it needs. */
export interface AccountSideContext {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sessions: SessionTokens;
  readonly addressPolicy: AddressPolicy;
  readonly logger: Logger;
  readonly now: () => Date;
  /** A new UUID. */
  readonly newId: () => string;
}
