import { randomUUID } from 'node:crypto';
import { createEncryption, type EncryptionKey } from '../../platform/security/encryption.ts';
import { openStore, type StoreOptions } from '../../platform/database/connection.ts';
import {
  setOperator,
  type OperatorChange,
  setSuspension,
  type SuspensionChange,
} from '../accounts/administer-account.ts';
import { grantResellerAgreement, type AgreementGrant, revokeResellerAgreement } from '../resellers/agreements.ts';
import { afterRestore, type AfterRestore } from './after-restore.ts';
import { reEncryptSecrets, type SecretCount } from '../accounts/re-encrypt-secrets.ts';

/** The actions of an administrator outside the HTTP interface. They need the database and no other part of a running system. */
export interface Administration {
  grantResellerAgreement(grant: AgreementGrant): Promise<{ accountId: string; slug: string }>;
  /** Earlier sales still owe commission. A repeated call changes nothing. */
  revokeResellerAgreement(email: string): Promise<{ accountId: string; hadAgreement: boolean; members: number }>;
  /** A repeated call changes nothing. */
  setOperator(change: OperatorChange): Promise<{ accountId: string; hasChanged: boolean }>;
  /** A repeated call changes nothing. */
  setSuspension(change: SuspensionChange): Promise<{ accountId: string; hasChanged: boolean }>;
  /** `keys` newest first, as the running system has them. */
  reEncryptSecrets(keys: readonly EncryptionKey[], options: { dryRun: boolean }): Promise<readonly SecretCount[]>;
  afterRestore(restore: { readonly at: Date }): Promise<AfterRestore>;
  close(): Promise<void>;
}

/** Throws the driver's error when no primary answers in time. */
export async function openAdministration(options: StoreOptions): Promise<Administration> {
  const store = await openStore(options);
  const context = { store, now: () => new Date(), newId: randomUUID };
  return {
    grantResellerAgreement: (grant) => grantResellerAgreement(context, grant),
    revokeResellerAgreement: (email) => revokeResellerAgreement(context, email),
    setOperator: (change) => setOperator(context, change),
    setSuspension: (change) => setSuspension(context, change),
    reEncryptSecrets: (keys, options) => reEncryptSecrets({ store, encryption: createEncryption(keys) }, options),
    afterRestore: (restore) => afterRestore(context, restore),
    close: () => store.close(),
  };
}
