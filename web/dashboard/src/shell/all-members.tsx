import { useMe } from '../api/me.ts';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { useQuery } from '../routing/use-query.ts';
import { SelectField } from '../ui/field.tsx';

export const allMembersTexts = defineTexts({
  sv: {
    whose: 'Visa',
    one: 'Ett konto',
    all: 'Alla medlemmar',
    member: 'Medlem',
    sharedOnly: 'Bara order från medlemmar som delar sina ordrar med dig visas.',
  },
  en: {
    whose: 'Show',
    one: 'One account',
    all: 'All members',
    member: 'Member',
    sharedOnly: 'Only orders of members who share their orders with you are shown.',
  },
});

/** Whether the page shows one list of all members (`?members=all`). */
export const useAllMembers = (): boolean => useQuery()[0]['members'] === 'all';

/** Addresses of lists about the same account, or about all members, as this page. */
export function useListAddress(): (list: 'items' | 'orders', filter?: Readonly<Record<string, string>>) => string {
  const isAll = useAllMembers();
  return (list, filter = {}) => {
    const search = new URLSearchParams({ ...(isAll && { members: 'all' }), ...filter }).toString();
    return search === '' ? `/dashboard/${list}` : `/dashboard/${list}?${search}`;
  };
}

interface AllMembersChoiceProps {
  /** Label of the other choice; by default one account. */
  readonly one?: string;
}

/** One account or all members, for resellers. Filters are dropped, because they may not apply to the other list. */
export function AllMembersChoice({ one }: AllMembersChoiceProps) {
  const t = useTexts(allMembersTexts);
  const me = useMe();
  const isAll = useAllMembers();
  const [query, setQuery] = useQuery();
  if (me?.reseller === undefined || me.reseller === null) return null;
  return (
    <SelectField
      label={t.whose}
      value={isAll ? 'all' : 'one'}
      choices={[
        { value: 'one', label: one ?? t.one },
        { value: 'all', label: t.all },
      ]}
      onChange={(whose) => {
        const none = Object.fromEntries(Object.keys(query).map((name) => [name, undefined]));
        setQuery({ ...none, members: whose === 'all' ? 'all' : undefined });
      }}
    />
  );
}
