import type { AccountId } from '../../rules/ids.ts';
import type { ItemDetails, ItemFact } from './history-facts.ts';
import type { Scope } from '../../rules/scope.ts';

/** Kinds of entries about an item. The list is closed, so that a dashboard can give each kind its own words and icon. */
export const journalKinds = [
  'created',
  'updated',
  'price_changed',
  'status_changed',
  'quantity_changed',
  'publish_requested',
  'retry_requested',
  'deleted',
  'images_ready',
  'enriched',
  'published',
  'repriced',
  'change_refused',
  'taken_down',
  'take_down_refused',
  'ended',
  'relisted',
  'sold',
  'paid',
  'order_shipped',
  'order_completed',
  'order_cancelled',
  'waiting',
  'given_up',
] as const satisfies readonly (keyof ItemDetails)[];
export type JournalKind = (typeof journalKinds)[number];

/**
 * The actor of an entry. `reseller`: an account with a reseller agreement acted for the owner. `operator`: the operator of the
 * service.
 */
export interface Actor {
  readonly kind: 'api_key' | 'reseller' | 'dashboard' | 'service' | 'marketplace' | 'operator';
  /** The account that acted; null when the actor is no partner. */
  readonly accountId: AccountId | null;
  /** Id of the API key, when one was used. */
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** The name of the operator, for operators alone; absent where a command was given without one. */
  readonly operator?: string;
}

/** One entry of an item's history, shown in the item's timeline and in the account's audit log. */
export type JournalEntry = NewJournalEntry & {
  /** Grows by one for each entry of an item. */
  readonly number: number;
};

export type NewJournalEntry = ItemFact & { readonly at: Date; readonly actor: Actor };

const nobody = { accountId: null, keyId: null, requestId: null } as const;
export const theService: Actor = { kind: 'service', ...nobody };
export const theMarketplace: Actor = { kind: 'marketplace', ...nobody };
export const theOperator: Actor = { kind: 'operator', ...nobody };
export const operatorCalled = (name: string | undefined): Actor =>
  name === undefined ? theOperator : { ...theOperator, operator: name };

export function actorOf({ accountId, actingAccountId, credential, requestId: call }: Scope): Actor {
  const requestId = call ?? null;
  const keyId = credential.kind === 'api-key' ? credential.keyId : null;
  if (credential.kind === 'system') return { ...theService, requestId };
  if (credential.kind === 'operator') return { ...operatorCalled(credential.name), requestId };
  if (actingAccountId !== accountId) return { kind: 'reseller', accountId: actingAccountId, keyId, requestId };
  return { kind: credential.kind === 'session' ? 'dashboard' : 'api_key', accountId, keyId, requestId };
}
