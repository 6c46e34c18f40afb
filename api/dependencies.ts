import type { ItemDescription } from '../core/items/describe-item.ts';
import type { ItemRequest, RequestWarning } from '../core/items/item-content.ts';
import type { ItemStatus } from '../core/items/item-status.ts';
import type { Scope } from '../core/scope.ts';
import type { Logger } from '../platform/logger.ts';
import type { AccountSide } from '../usecases/account-side.ts';

/** Everything the API calls: use cases with their surroundings already filled in. compose.ts makes it, tests may replace parts. */
export interface ApiDependencies extends Omit<AccountSide, 'settle'> {
  readonly logger: Logger;
  readonly items: ItemUsecases;
  readonly images: {
    /** Key `<accountId>/<contentHash>/<size>.jpg`. Throws Refusal NOT_FOUND. */
    read(key: string): Promise<Buffer>;
  };
  readonly health: {
    /** Whether this process can do its work now. Never throws. */
    isReady(): Promise<boolean>;
  };
  /** Whether an error means that the database is out of reach for now: 503 instead of 500. */
  readonly isUnavailable: (error: unknown) => boolean;
}

export interface ItemUsecases {
  upsert(scope: Scope, push: { externalId: string; request: ItemRequest }): Promise<ItemUpsert>;
  /** Everything about the item. Throws Refusal NOT_FOUND. */
  read(scope: Scope, externalId: string): Promise<{ readonly item: ItemDescription; readonly revision: number }>;
  /** Throws Refusal NOT_FOUND. */
  readStatus(scope: Scope, externalId: string): Promise<{ readonly status: ItemStatus; readonly revision: number }>;
}

export interface ItemUpsert {
  readonly itemId: string;
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly warnings: readonly RequestWarning[];
}
