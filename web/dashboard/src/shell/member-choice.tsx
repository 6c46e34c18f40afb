import { useEffect, useId, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useMe } from '../api/me.ts';
import { useResource } from '../api/use-resource.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { usePlace } from '../routing/location.ts';
import { useQuery } from '../routing/use-query.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { shellTexts } from './texts.ts';
import './member-choice.css';

/**
 * Reference (or user id) of the member that a reseller looks at (`?member=` of the page); undefined: its own account.
 */
export function useMember(): string | undefined {
  const [{ member }] = useQuery();
  return member;
}

/** On these pages the address names the member whose data they show; elsewhere it filters by one. */
const memberPages = ['/dashboard/items', '/dashboard/orders', '/dashboard/bulk-syncs'];

/** The member whose data the page shows; undefined: the own account's. */
export function useActingMember(): string | undefined {
  const member = useMember();
  const { path } = usePlace();
  return memberPages.some((page) => path === page || path.startsWith(`${page}/`)) ? member : undefined;
}

/** For the `query` of a call that takes `member`. */
export const memberQuery = (member: string | undefined): { member?: string } =>
  member === undefined ? {} : { member };

interface MemberChoiceProps {
  /** By default it says that the page shows the chosen account's data. */
  readonly label?: string;
  /** What stands there while none is chosen; by default the own account. */
  readonly placeholder?: string;
}

/** The choice of account, for resellers. */
export function MemberChoice(props: MemberChoiceProps) {
  const me = useMe();
  return me?.reseller === undefined || me.reseller === null ? null : <MemberSelect {...props} />;
}

/** Most suggestions; further typing narrows them. */
const offeredMax = 20;

/** A text field with suggestions from a search, so that 2,000 members are as quick as three. */
function MemberSelect({ label, placeholder }: MemberChoiceProps) {
  const t = useTexts(shellTexts);
  const member = useMember() ?? '';
  const [, setQuery] = useQuery();
  const [text, setText] = useState(member);
  /** A suggestion that was picked, or what stood there at Enter or when the field was left: `KUND-7` may begin `KUND-70`. */
  const [wanted, setWanted] = useState(member);
  useEffect(() => {
    setText(member);
    setWanted(member);
  }, [member]);
  const listId = useId();
  const typed = text.trim();
  const { data } = useResource(
    async (signal) => {
      const query = { limit: offeredMax, sort: 'name' as const, ...(typed !== '' && { q: typed }) };
      return (await api.findMembers({ query, signal })).data.members;
    },
    { on: [typed] },
  );
  // A suggestion that was picked is known. A typed value may be suggested a moment later.
  const isChosen =
    wanted !== member && (wanted === '' || data?.some(({ externalId }) => externalId === wanted) === true);
  useEffect(() => {
    if (isChosen) setQuery({ member: wanted });
    // The address follows the field here; above, the field follows the address.
  }, [isChosen, wanted]);
  return (
    <Field
      label={label ?? t.member}
      control={(attributes) => (
        <>
          <input
            {...attributes}
            class="control"
            type="search"
            list={listId}
            value={text}
            placeholder={placeholder ?? t.ownItems}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget: { value }, inputType }) => {
              setText(value);
              if (value === '' || inputType === 'insertReplacementText') setWanted(value.trim());
            }}
            onChange={({ currentTarget }) => {
              setWanted(currentTarget.value.trim());
            }}
          />
          <datalist id={listId}>
            {data?.map(({ memberUserId, memberName, externalId }) => (
              <option key={memberUserId} value={externalId}>
                {memberName}
              </option>
            ))}
          </datalist>
        </>
      )}
    />
  );
}

/** Above a member's page: its owner, and a link back. */
export function MemberBanner() {
  const t = useTexts(shellTexts);
  const member = useActingMember();
  const me = useMe();
  const [, setQuery] = useQuery();
  if (member === undefined || me?.reseller === undefined || me.reseller === null) return null;
  return (
    <div class="member-banner" role="status">
      <span>
        {t.actingFor} <strong class="code">{member}</strong>
      </span>
      <Button
        onClick={() => {
          setQuery({ member: undefined });
        }}
      >
        {t.backToOwn}
      </Button>
    </div>
  );
}
