import { createContext } from 'preact';

/** Names for the ids that the log has. */
export interface People {
  /** Of API keys that are active, by id. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** Of members, by user id; empty for who is no reseller. */
  readonly memberNames: ReadonlyMap<string, string>;
  /** Of the reseller whose member the account is. */
  readonly resellerName: string | undefined;
  readonly ownId: string | undefined;
}

export const nobodyKnown: People = {
  keyNames: new Map(),
  memberNames: new Map(),
  resellerName: undefined,
  ownId: undefined,
};

export const PeopleContext = createContext<People>(nobodyKnown);
