import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Simulator {
  readonly url: string;
  readonly adminUrl: string;
}

/** The part of `ready.json` that the examples use (docs: the embedded mode). */
export interface ReadyFile {
  readonly apiUrl: string;
  readonly accounts: readonly {
    readonly role: 'reseller' | 'member';
    readonly apiKey: string;
    readonly externalId?: string;
  }[];
  readonly simulators: {
    readonly marketplace: Simulator;
    readonly images: Simulator;
    readonly webhookReceiver: Simulator;
  };
}

/** A webhook endpoint of the seeded accounts, with the secret that its owner noted when it was made. */
export interface EndpointSecret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly scope: 'self' | 'members';
}

/** An account as the seeding noted it; `externalId` is the reseller's reference, null for the reseller itself. */
export interface SeededAccount {
  readonly externalId: string | null;
  readonly userId: string;
  readonly endpoints: readonly EndpointSecret[];
}

/** Throws with what to do when the system isn't running. */
export function readReadyFile(home: string): ReadyFile {
  const file = resolve(home, 'ready.json');
  if (!existsSync(file))
    throw new Error(`${file} is missing: start the system first (npm start) and wait until it says that it is ready`);
  return JSON.parse(readFileSync(file, 'utf8')) as ReadyFile;
}

/** The accounts with their webhook secrets, which an endpoint's owner sees once and keeps. */
export function readSeededAccounts(home: string): SeededAccount[] {
  const file = join(resolve(home), 'data', 'accounts.json');
  const { accounts } = JSON.parse(readFileSync(file, 'utf8')) as {
    accounts: (Omit<SeededAccount, 'externalId'> & { externalId?: string })[];
  };
  return accounts.map(({ externalId, userId, endpoints }) => ({ externalId: externalId ?? null, userId, endpoints }));
}
