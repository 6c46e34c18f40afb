import type { FindMembersData, ListedMember } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { problemPath } from '../items/item-path.ts';
import { overviewTexts } from './texts.ts';
import { TaskCard } from './to-do.tsx';

type Order = NonNullable<NonNullable<FindMembersData['query']>['sort']>;

/** Kinds of trouble that at least one member has; each is also the order that puts those members first. */
const troubles = {
  connection: ({ marketplace }) => marketplace !== 'connected',
  failing: ({ blockedItems }) => blockedItems > 0,
  missed: ({ missedEvents }) => missedEvents > 0,
} as const satisfies Partial<Record<Order, (member: ListedMember) => boolean>>;
type Trouble = keyof typeof troubles;
const kinds = ['failing', 'missed', 'connection'] as const satisfies Trouble[];

/** The first member of each order tells whether any member has that trouble. */
export async function loadMemberTroubles(signal: AbortSignal): Promise<readonly Trouble[]> {
  const firsts = await Promise.all(
    kinds.map(async (kind) => {
      const { data } = await api.findMembers({ query: { sort: kind, limit: 1 }, signal });
      return data.members.some(troubles[kind]);
    }),
  );
  return kinds.filter((_, n) => firsts[n]);
}

/** A row for each kind of trouble, which leads to the members that have it, or to their items. */
export function MembersToDo({ troubles: found }: { readonly troubles: readonly Trouble[] }) {
  const t = useTexts(overviewTexts);
  const tasks = found.map((kind) => ({
    id: kind,
    tone: kind === 'connection' ? ('wait' as const) : ('bad' as const),
    title: t.memberTroubles[kind],
    text: t.memberTroubleTexts[kind],
    href: kind === 'failing' ? problemPath('any', { members: 'all' }) : `/dashboard/reseller?sort=${kind}`,
    link: t.show,
  }));
  return <TaskCard tasks={tasks} allWell={t.membersWell} />;
}
