import { useMemo } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';
import type { People } from './people.ts';

/** Those that could be loaded; the log is readable without. */
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
