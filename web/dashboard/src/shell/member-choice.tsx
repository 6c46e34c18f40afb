import { api } from '../api/api.ts';
import { useMe } from '../api/me.ts';
import { useResource } from '../api/use-resource.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useQuery } from '../routing/use-query.ts';
import { SelectField } from '../ui/field.tsx';
import { shellTexts } from './texts.ts';

/** `memberUserId` of the member that a reseller looks at (`?member=` of the page), or undefined: its own account. */
export function useMember(): string | undefined {
  const [{ member }] = useQuery();
  return member;
}

/** For the `query` of a call that takes `member`. */
export const memberQuery = (member: string | undefined): { member?: string } =>
  member === undefined ? {} : { member };

interface MemberChoiceProps {
  /** By default that the page shows things of that one. */
  readonly label?: string;
}

/** Whose things the page shows: there for resellers only. */
export function MemberChoice(props: MemberChoiceProps) {
  const me = useMe();
  return me?.reseller === undefined || me.reseller === null ? null : <MemberSelect {...props} />;
}

function MemberSelect({ label }: MemberChoiceProps) {
  const t = useTexts(shellTexts);
  const member = useMember();
  const [, setQuery] = useQuery();
  const { data } = useResource(async (signal) => (await api.listMembers({ signal })).data.connections);
  const members = (data ?? []).map(({ memberUserId, memberName, externalId }) => ({
    value: memberUserId,
    label: `${memberName} (${externalId})`,
  }));
  return (
    <SelectField
      label={label ?? t.member}
      value={member ?? ''}
      choices={[{ value: '', label: t.ownItems }, ...members]}
      onChange={(value) => {
        setQuery({ member: value });
      }}
    />
  );
}
