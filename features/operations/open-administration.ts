import { randomUUID } from 'node:crypto';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { createEncryption, type EncryptionKey } from '../../platform/security/encryption.ts';
import { openMigratedStore } from '../../platform/database/schema-version.ts';
import {
  setOperator,
  type OperatorChange,
  setSuspension,
  type SuspensionChange,
} from '../accounts/administer-account.ts';
import { grantResellerAgreement, type AgreementGrant, revokeResellerAgreement } from '../resellers/agreements.ts';
import { afterRestore } from './after-restore.ts';
import { reEncryptSecrets } from '../accounts/re-encrypt-secrets.ts';

type AsRestored = Parameters<typeof afterRestore>[1] & { readonly imageStore: ImageStore };

/**
 * The actions of an administrator outside the HTTP interface. They need the database and no other part of a running system. Throws the
 * driver's error when no primary answers in time.
 */
export async function openAdministration(database: Parameters<typeof openMigratedStore>[0], operator?: string) {
  const store = await openMigratedStore(database);
  const context = { store, now: () => new Date(), newId: randomUUID, operator };
  return {
    grantResellerAgreement: (grant: AgreementGrant) => grantResellerAgreement(context, grant),
    revokeResellerAgreement: (email: string) => revokeResellerAgreement(context, email),
    setOperator: (change: OperatorChange) => setOperator(context, change),
    setSuspension: (change: SuspensionChange) => setSuspension(context, change),
    /** `keys` newest first, as the running system has them. */
    reEncryptSecrets: (keys: readonly EncryptionKey[], dry: { dryRun: boolean }) =>
      reEncryptSecrets({ store, encryption: createEncryption(keys) }, dry),
    afterRestore: ({ imageStore, ...restored }: AsRestored) =>
      afterRestore({ store, imageStore, now: store.clock.now }, restored),
    close: () => store.close(),
  };
}
