import { useState } from 'preact/hooks';
import type { ApiKey, GeneratedApiKey } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Curl, ShownOnce } from '../../ui/copy-field.tsx';
import { Ago, Time } from '../../ui/facts.tsx';
import { Badge } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { uiTexts } from '../../ui/texts.ts';
import './keys-page.css';
import { firstItemCommand } from './first-item-command.ts';
import { GenerateKeyDialog } from './generate-key-dialog.tsx';
import { keysTexts } from './texts.ts';

export function KeysPage() {
  const t = useTexts(keysTexts);
  const [isGenerating, setGenerating] = useState(false);
  const [generated, setGenerated] = useState<GeneratedApiKey>();
  const keys = useResource(async (signal) => (await api.listApiKeys({ signal })).data, {
    pollMs: restingMs,
  });
  const open = (): void => {
    setGenerating(true);
  };
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button kind={generated === undefined ? 'primary' : 'secondary'} onClick={open}>
          {t.generate}
        </Button>
      }
    >
      {generated !== undefined && (
        <NewKey
          generated={generated}
          onSaved={() => {
            setGenerated(undefined);
          }}
        />
      )}
      <Loaded resource={keys}>
        {(list) => (list.keys.length === 0 ? <NoKeys /> : <KeysTable keys={list.keys} onRevoked={keys.reload} />)}
      </Loaded>
      {isGenerating && (
        <GenerateKeyDialog
          modes={keys.data?.modes ?? []}
          onClose={() => {
            setGenerating(false);
          }}
          onGenerated={(key) => {
            setGenerating(false);
            setGenerated(key);
            keys.reload();
          }}
        />
      )}
    </Page>
  );
}

function NewKey({ generated, onSaved }: { readonly generated: GeneratedApiKey; readonly onSaved: () => void }) {
  const t = useTexts(keysTexts);
  return (
    <ShownOnce title={t.newKey(generated.name)} label={t.apiKey} value={generated.apiKey} onSaved={onSaved}>
      <p>{t.tryIt}</p>
      <Curl label={t.command} command={firstItemCommand(location.origin, generated.apiKey)} />
    </ShownOnce>
  );
}

function NoKeys() {
  const t = useTexts(keysTexts);
  return (
    <Empty title={t.none}>
      <p>{t.noneLead}</p>
      <Curl label={t.command} command={firstItemCommand(location.origin, t.yourKey)} />
    </Empty>
  );
}

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

/** The visible part of the key; a sandbox's key is marked. */
export function KeyPrefix({ of: { prefix, mode } }: { readonly of: ApiKey }) {
  const t = useTexts(keysTexts);
  return (
    <span class="key-bounds">
      <code>{prefix}…</code>
      {mode === 'test' && <Badge tone="wait">{t.test}</Badge>}
    </span>
  );
}

/** The scopes and addresses of the key. */
export function KeyRights({ of: { scopes, addresses } }: { readonly of: ApiKey }) {
  const t = useTexts(keysTexts);
  return (
    <span class="key-bounds">
      {scopes === null ? t.everything : scopes.map((scope) => t.scopeNames[scope]).join(', ')}
      {addresses !== null && <span class="muted small">{t.onlyFrom(addresses.join(', '))}</span>}
    </span>
  );
}

/** The end of the key; marked when it is near or past. */
export function KeyEnd({ of: { expiresAt, state } }: { readonly of: ApiKey }) {
  const t = useTexts(keysTexts);
  if (expiresAt === null) return <span class="muted">{t.never}</span>;
  return (
    <span class="key-bounds">
      <Time at={expiresAt} />
      {state === 'expiring' && <Badge tone="wait">{t.endsSoon}</Badge>}
      {state === 'expired' && <Badge tone="bad">{t.ended}</Badge>}
    </span>
  );
}
