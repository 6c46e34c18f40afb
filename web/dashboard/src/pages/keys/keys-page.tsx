import { useState } from 'preact/hooks';
import type { GeneratedApiKey } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/curl.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { firstItemCommand } from './first-item-command.ts';
import { GenerateKeyDialog } from './generate-key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';
import { keysTexts } from './texts.ts';

export function KeysPage() {
  const t = useTexts(keysTexts);
  const [isGenerating, setGenerating] = useState(false);
  const [generated, setGenerated] = useState<GeneratedApiKey>();
  const keys = useResource(async (signal) => (await api.listApiKeys({ signal })).data, {
    pollMs: () => restingMs,
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
