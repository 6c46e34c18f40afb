import { useState } from 'preact/hooks';
import type { MemberConnection } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { resellerTexts } from './texts.ts';

interface MembersProps {
  readonly members: readonly MemberConnection[];
  readonly onChange: () => void;
}

export function Members({ members, onChange }: MembersProps) {
  const t = useTexts(resellerTexts);
  const [renamed, setRenamed] = useState<MemberConnection>();
  if (members.length === 0)
    return (
      <Empty title={t.noMembers}>
        <p>{t.noMembersText}</p>
      </Empty>
    );
  const columns: readonly Column<MemberConnection>[] = [
    {
      id: 'name',
      header: t.name,
      isName: true,
      cell: ({ memberUserId, memberName }) => (
        <a href={`/dashboard/items?member=${encodeURIComponent(memberUserId)}`} aria-label={t.itemsOf(memberName)}>
          {memberName}
        </a>
      ),
    },
    { id: 'reference', header: t.reference, cell: ({ externalId }) => <span class="code">{externalId}</span> },
    { id: 'joined', header: t.joined, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'actions',
      header: t.actions,
      isUnlabelled: true,
      cell: (member) => (
        <MemberActions
          member={member}
          onRename={() => {
            setRenamed(member);
          }}
        />
      ),
    },
  ];
  return (
    <>
      <Table caption={t.members} columns={columns} rows={members} idOf={({ memberUserId }) => memberUserId} />
      {renamed !== undefined && (
        <RenameDialog
          member={renamed}
          onRenamed={onChange}
          onClose={() => {
            setRenamed(undefined);
          }}
        />
      )}
    </>
  );
}

function MemberActions({ member, onRename }: { readonly member: MemberConnection; readonly onRename: () => void }) {
  const t = useTexts(resellerTexts);
  const { memberUserId, memberName } = member;
  return (
    <span class="reseller-actions">
      <a href={`/dashboard/bulk-syncs?member=${encodeURIComponent(memberUserId)}`} aria-label={t.syncsOf(memberName)}>
        {t.syncs}
      </a>
      <Button label={t.renameOf(memberName)} onClick={onRename}>
        {t.rename}
      </Button>
    </span>
  );
}
