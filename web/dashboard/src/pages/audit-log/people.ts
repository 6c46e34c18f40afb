import { createContext } from 'preact';
import { useMemo } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';

/** Names for the ids in the log. */
interface People {
  /** By id of the active API keys. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** By user id of the members; empty for an account that is no reseller. */
  readonly memberNames: ReadonlyMap<string, string>;
  /** Name of the account's own reseller. */
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

/** The names that could be loaded; the log is readable without them. */
export function usePeople(): People {
  const me = useMe();
  const isReseller = me?.reseller != null;
  const keys = useResource(async (signal) => (await api.listApiKeys({ signal })).data.keys).data;
  const members = useResource(
    async (signal) => (isReseller ? (await api.listMembers({ signal })).data.connections : []),
    { on: [isReseller] },
  ).data;
  return useMemo(
    () => ({
      keyNames: new Map((keys ?? []).map(({ id, name }) => [id, name])),
      memberNames: new Map(
        (members ?? []).map(({ memberUserId, memberName, externalId }) => [
          memberUserId,
          `${memberName} (${externalId})`,
        ]),
      ),
      resellerName: me?.memberOf?.displayName,
      ownId: me?.id,
    }),
    [keys, members, me],
  );
}
