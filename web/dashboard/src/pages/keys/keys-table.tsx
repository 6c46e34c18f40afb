import type { ApiKey } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { Ago, Time } from '../../ui/time.tsx';
import { KeyEnd, KeyPrefix, KeyRights } from './key-bounds.tsx';
import { keysTexts } from './texts.ts';

interface KeysTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoked: () => void;
}

export function KeysTable({ keys, onRevoked }: KeysTableProps) {
  const t = useTexts(keysTexts);
  const ui = useTexts(uiTexts);
  const columns: readonly Column<ApiKey>[] = [
    { id: 'name', header: t.name, isName: true, cell: ({ name }) => name },
    { id: 'prefix', header: t.prefix, cell: (key) => <KeyPrefix of={key} /> },
    { id: 'rights', header: t.scopes, cell: (key) => <KeyRights of={key} /> },
    { id: 'ends', header: t.ends, cell: (key) => <KeyEnd of={key} /> },
    { id: 'created', header: t.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'used',
      header: t.lastUsed,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span class="muted">{t.neverUsed}</span> : <Ago at={lastUsedAt} />,
    },
    {
      id: 'actions',
      header: ui.actions,
      isUnlabelled: true,
      cell: ({ id, name }) => (
        <ConfirmButton
          kind="danger"
          label={t.revokeOf(name)}
          title={t.revokeTitle(name)}
          body={t.revokeBody}
          toast={t.revoked}
          onConfirm={async () => api.revokeApiKey({ path: { id } })}
          onDone={onRevoked}
        >
          {t.revoke}
        </ConfirmButton>
      ),
    },
  ];
  return <Table caption={t.title} columns={columns} rows={keys} idOf={({ id }) => id} />;
}
