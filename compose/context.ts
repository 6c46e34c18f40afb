import { randomUUID } from 'node:crypto';
import { itemId } from '../features/rules/ids.ts';
import { isHeld } from '../features/items/rules/owed-work.ts';
import { createWorkflowPages } from '../gateways/orchestrator/workflow-pages.ts';
import { createKeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import { createDeviceTokens, createSessionTokens } from '../platform/security/signed-token.ts';
import { createEncryption } from '../platform/security/encryption.ts';
import { createPageTokens } from '../platform/security/page-tokens.ts';
import { passwords } from '../platform/security/password.ts';
import { createAcceptor } from '../features/items/store/accept-writes.ts';
import { createItemLineStore } from '../features/items/store/item-lines.ts';
import { createItemListStore } from '../features/items/store/item-list.ts';
import { createItemStore } from '../features/items/store/items.ts';
import { findConnectionState } from '../features/listings/store/marketplace-connections.ts';
import { confirmCredential } from '../features/accounts/authenticate-session.ts';
import { createSignInLimits } from '../features/accounts/sign-in-limits.ts';
import { createKeyUseRecorder } from '../features/accounts/key-use-recorder.ts';
import type { Context } from '../features/context.ts';
import { createPlaces } from '../features/accounts/places.ts';
import { createItemRoom } from '../features/accounts/create-item-room.ts';
import { itemWorkflowId } from '../workflows/contracts/workflows.ts';
import { composeAi, composeLogin, composePayments, composeSandbox, composeVehicles } from './gateways.ts';
import type { Foundation } from './foundation.ts';
import { composeStarts } from './starts.ts';
import { stuckUrlOf } from './stuck-lists.ts';

export interface ComposedContext {
  readonly context: Context;
  /** Waits for work that outlasts its call, and closes what was opened here. Call it before the store is closed. */
  readonly close: () => Promise<void>;
}

/** Composes the dependencies of the use cases. Once per process, because its parts hold the process's caches and running work. */
export function composeContext(foundation: Foundation): ComposedContext {
  const { config, logger, store, imageStore, now } = foundation;
  const { hints, close: closeStarts } = composeStarts(foundation);
  const acceptor = createAcceptor({ store, ...hints });
  const keyUse = createKeyUseRecorder({ store, now, logger });
  const vehicles = composeVehicles(foundation);
  const { sandbox, close: closeSandbox } = composeSandbox(foundation);
  const login = composeLogin(foundation);
  const pageOf = createWorkflowPages(config.temporal);
  const context: Context = {
    store,
    logger,
    now,
    newId: randomUUID,
    publicUrl: config.publicUrl,
    imagesUrl: config.imagesPublicUrl === '' ? `${config.publicUrl}/images` : config.imagesPublicUrl,
    hints,
    sendsMail: config.mail.url !== '',
    ...composeCredentials(foundation),
    keyUse,
    sandbox,
    login,
    confirmCredential: (scope) => confirmCredential({ store, now }, scope),
    addressPolicy: { allowPrivateNetworks: config.allowPrivateNetworks },
    storageQuota: config.storageQuota,
    platformFeeBps: config.platformFeeBps,
    payments: composePayments(foundation),
    items: createItemStore(store, acceptor),
    lines: createItemLineStore(store, acceptor),
    itemList: createItemListStore(store),
    imageStore,
    newItemId: () => itemId(randomUUID()),
    runExclusive: createKeyedMutex(),
    takeRoom: createItemRoom({ store, now, itemsMax: config.storageQuota.itemsMax }),
    connectionOf: (account) => findConnectionState(store, account),
    workflowOf: (item) => ({
      ...pageOf(itemWorkflowId(item.id), { hasRun: isHeld(item) }),
      stuckUrl: stuckUrlOf(config.temporal, item),
    }),
    places: createPlaces(),
    lookUpVehicle: vehicles.lookUp,
    classification: composeAi(foundation).classification,
  };
  return {
    context,
    close: async () => {
      await keyUse.flush();
      await Promise.all([vehicles.close(), closeSandbox(), login?.close(), closeStarts()]);
    },
  };
}

/** The parts that store, create and check secrets. */
function composeCredentials({ config, store, instead }: Foundation) {
  const { encryptionKeys, jwtKeys } = config.secrets;
  return {
    encryption: createEncryption(encryptionKeys),
    sessions: createSessionTokens(jwtKeys),
    devices: createDeviceTokens(jwtKeys),
    pageTokens: createPageTokens(jwtKeys),
    passwords: instead?.passwords ?? passwords,
    signInLimits: createSignInLimits(store, config.signIn),
  };
}
