import type { UploadLimits } from './bulk-syncs/rules/bulk-sync.ts';
import type { AccountId, BulkSyncId, ItemId } from './rules/ids.ts';
import type { Item } from './items/rules/item.ts';
import type { StorageQuota } from './accounts/rules/storage-quota.ts';
import type { Scope } from './rules/scope.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { RunExclusive } from '../platform/concurrency/keyed-mutex.ts';
import type { AddressPolicy } from '../platform/public-address-guard.ts';
import type { Logger } from '../platform/logger.ts';
import type { DeviceTokens, SessionTokens } from '../platform/security/signed-token.ts';
import type { Encryption } from '../platform/security/encryption.ts';
import type { PageTokens } from '../platform/security/page-tokens.ts';
import type { Passwords } from '../platform/security/password.ts';
import type { StoreConnection } from '../platform/database/connection.ts';
import type { OwedDelivery, TargetKey } from './webhooks/store/waiting-deliveries.ts';
import type { AcceptParts } from './items/store/accept-writes.ts';
import type { ItemLineStore } from './items/store/item-lines.ts';
import type { ItemListStore } from './items/store/item-list.ts';
import type { ItemStore } from './items/store/items.ts';
import type { MarketplaceLogin } from '../gateways/marketplace/port.ts';
import type { SignInLimits } from './accounts/sign-in-limits.ts';
import type { KeyUseRecorder } from './accounts/key-use-recorder.ts';
import type { Sandbox } from './accounts/sandbox.ts';
import type { ItemClassificationDependencies } from './listings/categories.ts';
import type { ConnectionState } from './items/warnings.ts';
import type { TakeRoom } from './accounts/create-item-room.ts';
import type { AllPlaces } from './accounts/places.ts';
import type { VehicleLookup } from './vehicles/look-up-vehicle.ts';

/** The dependencies of the use cases. compose/ makes one Context per process; a use case takes the parts it needs. */
export interface Context {
  readonly store: StoreConnection;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Returns a UUID. In a call with an `Idempotency-Key`, the id reserved for the created object is returned first. */
  readonly newId: () => string;
  /** Base of every address shown to people, without a slash at the end. */
  readonly publicUrl: string;
  /** Base of the addresses of hosted images, which their keys follow: of the API, or of a CDN. */
  readonly imagesUrl: string;
  /** What this process does after a commit. */
  readonly hints: Hints;

  /** Whether a mail server is configured; mails are stored, and the worker sends them. */
  readonly sendsMail: boolean;

  readonly encryption: Encryption;
  readonly sessions: SessionTokens;
  readonly devices: DeviceTokens;
  readonly pageTokens: PageTokens;
  readonly passwords: Passwords;
  readonly signInLimits: SignInLimits;
  readonly keyUse: KeyUseRecorder;
  readonly sandbox: Sandbox;
  /** The login of sellers at the marketplace; null where the service has none. */
  readonly login: MarketplaceLogin | null;
  /**
   * Checks right before each write that the key or session of the caller is still valid. Throws Refusal as confirmCredential
   * does.
   */
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  /** Allowed targets of webhooks. */
  readonly addressPolicy: AddressPolicy;

  readonly storageQuota: StorageQuota;
  /** The platform's fee on sales, in hundredths of a per cent. */
  readonly platformFeeBps: number;
  readonly payments: Payments;

  readonly items: ItemStore;
  readonly lines: ItemLineStore;
  readonly itemList: ItemListStore;
  readonly imageStore: ImageStore;
  /** Never a reserved id of the call, because a batch creates many items. */
  readonly newItemId: () => ItemId;
  /** Runs work with the same key one after the other in this process: writers of one item, payment events of one account. */
  readonly runExclusive: RunExclusive;
  readonly takeRoom: TakeRoom;
  /** Whether the account is connected to the marketplace. */
  readonly connectionOf: (account: AccountId) => Promise<ConnectionState>;
  readonly workflowOf: (item: Item) => ItemWorkflow;

  readonly places: AllPlaces;
  /** Undefined: the limits of the interface. */
  readonly uploadLimits?: UploadLimits;
  readonly lookUpVehicle: VehicleLookup;
  /** Finds the category of a text. */
  readonly classification: ItemClassificationDependencies;
}

/**
 * First attempts of deliveries, and starts of workflows, by the process that has stored them. Only hints: a relay finds by its row
 * what was lost.
 */
export interface Hints extends Pick<AcceptParts, 'plan' | 'start'> {
  readonly deliverySoon: (delivery: OwedDelivery) => void;
  /** The target has changed, or has something to send. */
  readonly signalReceiver: (target: TargetKey) => void;
  readonly bulkSyncSoon: (bulk: { readonly bulkId: BulkSyncId; readonly accountId: AccountId }) => void;
}

/** The workflow of an item: its id in the engine, and its page there, or the list of its runs; null without a UI. */
export interface ItemWorkflow {
  readonly id: string;
  readonly url: string | null;
  /** The list of work that is stuck for the same reason as the item; null when it is not stuck, or without a UI. */
  readonly stuckUrl: string | null;
}
