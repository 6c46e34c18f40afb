import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useParam } from '../../routing/router.tsx';
import { useStore } from '../../state/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ShownOnce } from '../../ui/copy-field.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, ErrorNote } from '../../ui/notice.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import { readWebhookSettings, settingsSecret } from '../../webhooks/endpoints.tsx';
import { ReceiverFigures } from '../../webhooks/receiver-figures.tsx';
import { EndpointPage } from './endpoint-page.tsx';
import { ReceiverColumns } from './receiver-columns.tsx';
import { RecoverSection } from './recover-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { accountTarget } from './target.ts';
import { TestAndLog } from './test-and-log.tsx';
import { webhookTexts } from './texts.ts';

/** One receiver of events: an endpoint, or the account-level URL under the name `account`. */
export function WebhookPage() {
  const id = useParam('id');
  return id === 'account' ? <AccountUrlPage /> : <EndpointPage id={id} />;
}

export function AccountUrlPage() {
  const t = useTexts(webhookTexts);
  const [isAsked, setAsked] = useState(false);
  const list = useResource(async (signal) => (await api.listWebhooks({ signal })).data);
  return (
    <Page title={t.accountUrl} lead={t.accountUrlLead} parent={{ href: '/dashboard/webhooks', label: t.parent }}>
      <Loaded resource={list}>
        {({ accountSecretShown }) =>
          isAsked || accountSecretShown ? <AccountSettings /> : <SecretAhead onAsked={() => setAsked(true)} />
        }
      </Loaded>
    </Page>
  );
}

/** The first read of the settings makes the secret and shows it once, so it waits for a click. */
function SecretAhead({ onAsked }: { readonly onAsked: () => void }) {
  const t = useTexts(webhookTexts);
  return (
    <Empty
      title={t.secretAhead}
      actions={
        <Button kind="primary" onClick={onAsked}>
          {t.showSecret}
        </Button>
      }
    >
      <p>{t.secretAheadLead}</p>
    </Empty>
  );
}

function AccountSettings() {
  const settings = useResource(readWebhookSettings);
  return (
    <Loaded resource={settings}>
      {({ webhookUrl, calledHost, webhookSecret }) => (
        <>
          <FirstSecret />
          <ReceiverColumns
            facts={webhookUrl !== null && <ReceiverFigures logId={accountTarget.logId} />}
            log={
              webhookUrl === null ? undefined : (
                <>
                  <TestAndLog target={accountTarget} />
                  <RecoverSection target={accountTarget} isActive />
                </>
              )
            }
            settings={
              <>
                <UrlForm key={webhookUrl ?? ''} {...{ url: webhookUrl, calledHost }} onChanged={settings.reload} />
                <SecretSection target={accountTarget} hint={masked(webhookSecret)} onRotated={settings.reload} />
              </>
            }
          />
        </>
      )}
    </Loaded>
  );
}

/** The whole secret is shown elsewhere. */
const masked = (secret: string): string => (secret.includes('*') ? secret : `whsec_****${secret.slice(-4)}`);

/** Shown when the settings were read for the first time. */
function FirstSecret() {
  const t = useTexts(webhookTexts);
  const secret = useStore(settingsSecret);
  if (secret === undefined) return null;
  return (
    <ShownOnce
      title={t.firstSecret}
      label={t.secret}
      value={secret}
      onSaved={() => {
        settingsSecret.set(undefined);
      }}
    />
  );
}

interface UrlFormProps {
  readonly url: string | null;
  readonly calledHost: string | undefined;
  readonly onChanged: () => void;
}

function UrlForm({ url, calledHost, onChanged }: UrlFormProps) {
  const t = useTexts(webhookTexts);
  const [text, setText] = useState(url ?? '');
  // Saving the secret comes first.
  const kind = useStore(settingsSecret) === undefined ? 'primary' : 'secondary';
  const save = useAction(async () => api.updateWebhookSettings({ body: { webhookUrl: text.trim() } }), {
    toast: t.saved,
    onDone: onChanged,
  });
  return (
    <Section title={t.settings} {...(url === null && { lead: t.noUrlYet })}>
      <Card>
        <Form onSubmit={save.run}>
          <TextField
            label={t.url}
            hint={calledHost === undefined ? t.urlHint : `${t.urlHint} ${t.calledHost}: ${calledHost}`}
            type="url"
            value={text}
            placeholder="https://erp.example.se/hooks/items"
            lengthMax={2_048}
            problem={problemOf(save.error, 'webhookUrl')}
            onInput={setText}
          />
          <ErrorNote error={save.error} />
          <div class="row">
            <Button kind={kind} isSubmit isPending={save.isPending}>
              {t.save}
            </Button>
            <ConfirmButton
              isOffered={url !== null}
              kind="danger"
              title={t.clearTitle}
              body={t.clearBody}
              toast={t.cleared}
              onConfirm={async () => api.updateWebhookSettings({ body: { webhookUrl: null } })}
              onDone={onChanged}
            >
              {t.clear}
            </ConfirmButton>
          </div>
        </Form>
      </Card>
    </Section>
  );
}
