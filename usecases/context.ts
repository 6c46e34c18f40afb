import type { BulkSync } from '../core/bulk-syncs/bulk-sync.ts';
import type { UploadLimits } from '../core/bulk-syncs/upload-limits.ts';
import type { AccountId, ItemId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import type { StorageQuota } from '../core/quota/storage-quota.ts';
import type { Scope } from '../core/scope.ts';
import type { Recovery } from '../core/webhooks/recovery.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { RunExclusive } from '../platform/concurrency/keyed-mutex.ts';
import type { AddressPolicy } from '../platform/public-address-guard.ts';
import type { Logger } from '../platform/logger.ts';
import type { DeviceTokens } from '../security/device-token.ts';
import type { Encryption } from '../security/encryption.ts';
import type { PageTokens } from '../security/page-tokens.ts';
import type { Passwords } from '../security/password.ts';
import type { SessionTokens } from '../security/session-token.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import type { ItemLineStore } from '../store/items/item-lines.ts';
import type { ItemListStore } from '../store/items/item-list.ts';
import type { ItemStore } from '../store/items/items.ts';
import type { JournalStore } from '../store/items/journal.ts';
import type { SignInLimits } from './accounts/sign-in-limits.ts';
import type { KeyUseRecorder } from './api-keys/key-use-recorder.ts';
import type { HoldPlace } from './bulk-syncs/upload-places.ts';
import type { ItemClassificationDependencies } from './categories/categories.ts';
import type { ConnectionState } from './items/connection-warnings.ts';
import type { TakeRoom } from './quota/create-item-room.ts';
import type { VehicleLookup } from './vehicles/look-up-vehicle.ts';

/** What the use cases of a process work with. compose/ makes it once for each process; a use case takes the part that it needs. */
export interface Context {
  readonly store: StoreConnection;
  readonly logger: Logger;
  readonly now: () => Date;
  /** A new UUID. In a call with an `Idempotency-Key` the id that is reserved for what the call creates comes first. */
  readonly newId: () => string;
  /** Base of every address shown to people, without a slash at the end. */
  readonly publicUrl: string;
  /** Starts durable work beside the answer; the sweep makes good for what is lost. */
  readonly hints: {
    readonly startDelivery: (delivery: Delivery) => void;
    readonly startRecovery: (recovery: Recovery) => void;
    readonly startBulkSync: (bulk: BulkSync) => void;
    /** Tells the item's workflow that there is work. */
    readonly nudgeItem: (item: Item) => void;
  };

  readonly encryption: Encryption;
  readonly sessions: SessionTokens;
  readonly devices: DeviceTokens;
  readonly pageTokens: PageTokens;
  readonly passwords: Passwords;
  readonly signInLimits: SignInLimits;
  readonly keyUse: KeyUseRecorder;
  /** Whether the caller's key or session still counts: asked right before each write. Throws Refusal as confirmCredential does. */
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  /** Where webhooks may be sent to. */
  readonly addressPolicy: AddressPolicy;

  readonly storageQuota: StorageQuota;
  /** The platform's fee on sales, in hundredths of a per cent. */
  readonly platformFeeBps: number;
  readonly payments: Payments;

  readonly items: ItemStore;
  readonly lines: ItemLineStore;
  readonly itemList: ItemListStore;
  readonly journal: JournalStore;
  readonly imageStore: ImageStore;
  /** Never an id that is reserved for a call: a batch makes many items. */
  readonly newItemId: () => ItemId;
  readonly firstLook: FirstLook;
  /** Orders what must not meet within this process: the writers of one item, the payment events of one account. */
  readonly runExclusive: RunExclusive;
  readonly takeRoom: TakeRoom;
  /** Whether the account is connected to the marketplace. */
  readonly connectionOf: (account: AccountId) => Promise<ConnectionState>;
  readonly workflowOf: (item: Item) => ItemWorkflow;

  readonly holdUploadPlace: HoldPlace;
  /** Left out: those of the interface. */
  readonly uploadLimits?: UploadLimits;
  readonly lookUpVehicle: VehicleLookup;
  /** What the category of a text is found with. */
  readonly classification: ItemClassificationDependencies;
}

/** Who looks first at an item that owes work. */
export type FirstLook = 'lane' | 'workflow';

/** The workflow of an item: its id in the engine, and its page there, or the list of its runs; null without a UI. */
export interface ItemWorkflow {
  readonly id: string;
  readonly url: string | null;
}
