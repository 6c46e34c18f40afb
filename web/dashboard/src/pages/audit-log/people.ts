import { createContext } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { ListedMember } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';
import type { AuditEntry } from './kinds.ts';

/** Names for the ids in the log. */
interface People {
  /** By id of the active API keys. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** By user id, of the members that entries name. */
  readonly memberNames: ReadonlyMap<string, string>;
  /** Name of the account's own reseller. */
  readonly resellerName: string | undefined;
}

export const nobodyKnown: People = { keyNames: new Map(), memberNames: new Map(), resellerName: undefined };

export const PeopleContext = createContext<People>(nobodyKnown);

interface KnownPeople {
  readonly people: People;
  /** Loads the names of the members in these entries, before they are shown. */
  readonly learn: (entries: readonly AuditEntry[], view: View) => Promise<void>;
}

interface View {
  /** Whether it is the view of a reseller's actions for members. */
  readonly isActing: boolean;
  readonly signal: AbortSignal;
}

/** The names that could be loaded; the log is readable without them. */
export function usePeople(): KnownPeople {
  const me = useMe();
  const memberNames = useRef(new Map<string, string>()).current;
  const keys = useResource(async (signal) => (await api.listApiKeys({ signal })).data.keys).data;
  const people = useMemo(
    () => ({
      keyNames: new Map((keys ?? []).map(({ id, name }) => [id, name])),
      memberNames,
      resellerName: me?.memberOf?.displayName,
    }),
    [keys, me],
  );
  const learn: KnownPeople['learn'] = async (entries, { isActing, signal }) => {
    const named = entries.map((entry) => (isActing ? entry.userId : memberIn(entry)));
    const unknown = new Set(named.filter((id) => id !== null && !memberNames.has(id)));
    for (const { memberUserId, memberName, externalId } of await membersOf([...unknown].slice(0, idsMax), signal))
      memberNames.set(memberUserId, `${memberName} (${externalId})`);
  };
  return { people, learn };
}

const memberIn = ({ actor }: AuditEntry): string | null => (actor.kind === 'member' ? actor.userId : null);

/** The most that the service takes in one call; a page of the log has fewer. */
const idsMax = 100;

async function membersOf(ids: readonly (string | null)[], signal: AbortSignal): Promise<ListedMember[]> {
  if (ids.length === 0) return [];
  const query = { memberUserIds: ids.join(','), limit: idsMax };
  return api.findMembers({ query, signal }).then(
    ({ data }) => data.members,
    () => [],
  );
}
