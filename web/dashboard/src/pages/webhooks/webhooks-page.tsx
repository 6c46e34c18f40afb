import { useState } from 'preact/hooks';
import type { WebhookWithSecret } from '../../../../../client/generated/types.gen.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Curl } from '../../ui/curl.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useEndpoints } from '../../webhooks/use-endpoints.ts';
import { AccountUrlSection } from './account-url-section.tsx';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { webhooksTexts } from './texts.ts';
import { WebhooksTable } from './webhooks-table.tsx';

export function WebhooksPage() {
  const t = useTexts(webhooksTexts);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret>();
  const endpoints = useEndpoints(() => restingMs);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <LinkButton href="/dashboard/deliveries">{t.deliveries}</LinkButton>
          <Button
            kind={created === undefined ? 'primary' : 'secondary'}
            onClick={() => {
              setCreating(true);
            }}
          >
            {t.create}
          </Button>
        </>
      }
    >
      {created !== undefined && (
        <NewSecret
          webhook={created}
          onSaved={() => {
            setCreated(undefined);
          }}
        />
      )}
      <Loaded resource={endpoints}>
        {(webhooks) => (webhooks.length === 0 ? <NoWebhooks /> : <WebhooksTable webhooks={webhooks} />)}
      </Loaded>
      <AccountUrlSection />
      {isCreating && (
        <CreateWebhookDialog
          onClose={() => {
            setCreating(false);
          }}
          onCreated={(webhook) => {
            setCreating(false);
            setCreated(webhook);
            endpoints.reload();
          }}
        />
      )}
    </Page>
  );
}

function NewSecret({ webhook, onSaved }: { readonly webhook: WebhookWithSecret; readonly onSaved: () => void }) {
  const t = useTexts(webhooksTexts);
  return (
    <ShownOnce title={t.created} label={t.secret} value={webhook.secret} onSaved={onSaved}>
      <p>{t.secretLead}</p>
      <p>
        <a href={`/dashboard/webhooks/${webhook.id}`}>{t.next}</a>
      </p>
    </ShownOnce>
  );
}

function NoWebhooks() {
  const t = useTexts(webhooksTexts);
  return (
    <Empty title={t.none}>
      <p>{t.noneLead}</p>
      <Curl label={t.feed} command={`curl ${location.origin}/integration/events -H 'x-api-key: ${t.yourKey}'`} />
    </Empty>
  );
}
