import { randomUUID } from 'node:crypto';
import { openStore, type StoreOptions } from '../store/connection.ts';
import { grantResellerAgreement, type AgreementGrant } from './resellers/grant-reseller-agreement.ts';

/** What an administrator may do beside the HTTP interface; needs the database and nothing else of a running system. */
export interface Administration {
  grantResellerAgreement(grant: AgreementGrant): Promise<{ accountId: string; slug: string }>;
  close(): Promise<void>;
}

/** Throws the driver's error when no primary answers in time. */
export async function openAdministration(options: StoreOptions): Promise<Administration> {
  const store = await openStore(options);
  const context = { store, now: () => new Date(), newId: randomUUID };
  return {
    grantResellerAgreement: (grant) => grantResellerAgreement(context, grant),
    close: () => store.close(),
  };
}
