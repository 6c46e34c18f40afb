import type { ItemDescription } from '../core/items/describe-item.ts';
import type { ItemStatus } from '../core/items/item-status.ts';
import type { Timeline, TimelinePage } from '../core/items/timeline.ts';
import type { Scope } from '../core/scope.ts';
import type { Logger } from '../platform/logger.ts';
import type { RequestObserver } from './http/request-record.ts';
import type { CategoryConversion, ConversionRequest } from '../schemas/categories/conversion.ts';
import type { VehicleReading } from '../usecases/vehicles/read-vehicle.ts';
import type { ItemListQuery } from '../schemas/items/item-list.ts';
import type { AccountSide } from '../usecases/account-side.ts';
import type { Batch } from '../usecases/items/apply-batch.ts';
import type { LineResult } from '../usecases/items/apply-lines.ts';
import type { ItemWrites } from '../usecases/items/item-writes.ts';
import type { ItemListPage } from '../usecases/items/list-items.ts';
import type { PartnerItem } from '../usecases/items/read-partner-item.ts';
import type { CallerLimits } from '../usecases/rate-limits/create-caller-limits.ts';

/** Everything the API calls: use cases with their surroundings already filled in. compose/ makes it, tests may replace parts. */
export interface ApiDependencies extends Omit<AccountSide, 'settle'> {
  readonly logger: Logger;
  /** Follows every request, for numbers and traces. */
  readonly requestObserver?: RequestObserver | undefined;
  /** Base of the addresses people see, without a slash at the end. */
  readonly publicUrl: string;
  /** null: nobody is limited, and no answer speaks of limits. */
  readonly rateLimits: CallerLimits | null;
  /** Whose `X-Forwarded-For` is believed: addresses, networks (`10.0.0.0/8`), or loopback, linklocal, uniquelocal. */
  readonly trustedProxies: readonly string[];
  /** How long a streamed body may keep us waiting, and may take in all; by default a minute and six hours. */
  readonly streamTimes?: { readonly patienceMs: number; readonly totalMs: number };
  readonly items: ItemUsecases;
  readonly categories: {
    convert(request: ConversionRequest): Promise<CategoryConversion>;
  };
  readonly vehicles: {
    /** `plate` as it was sent. Throws Refusal VALIDATION_FAILED, NOT_FOUND, RATE_LIMITED or UNAVAILABLE. */
    read(scope: Scope, plate: string | undefined): Promise<VehicleReading>;
  };
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

export interface ItemUsecases extends ItemWrites {
  /** One result for each row, in their order. Throws Refusal UNAUTHORIZED. */
  applyBatch(scope: Scope, batch: Batch): Promise<readonly LineResult[]>;
  /** Everything about the item. Throws Refusal NOT_FOUND. */
  read(scope: Scope, externalId: string): Promise<{ readonly item: ItemDescription; readonly revision: number }>;
  /** The same, and for an operator where its work is. Throws Refusal NOT_FOUND. */
  readForPartner(scope: Scope, externalId: string): Promise<{ readonly item: PartnerItem; readonly revision: number }>;
  /** Throws Refusal NOT_FOUND. */
  readStatus(scope: Scope, externalId: string): Promise<{ readonly status: ItemStatus; readonly revision: number }>;
  list(scope: Scope, query: ItemListQuery): Promise<ItemListPage>;
  /** Throws Refusal NOT_FOUND. */
  readTimeline(scope: Scope, page: TimelinePage & { readonly externalId: string }): Promise<Timeline>;
}
