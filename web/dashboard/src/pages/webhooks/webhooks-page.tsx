import { useState } from 'preact/hooks';
import type {
  NewWebhook,
  Webhook,
  WebhookStatistics,
  WebhookWithSecret,
} from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { useAction, useRepeatable } from '../../api/use-action.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog, FormButtons } from '../../ui/confirm-button.tsx';
import { Curl, ShownOnce } from '../../ui/copy-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, ErrorNote } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { endpointState } from '../../webhooks/endpoint-state.ts';
import { EndpointBadge, endpointName, hostOf, useEndpoints } from '../../webhooks/endpoints.tsx';
import { eventTexts } from '../../webhooks/event-name.tsx';
import { knownEventTypes } from '../../webhooks/event-types.ts';
import { figuresOf, figuresTexts, useWebhookStatistics } from '../../webhooks/receiver-figures.tsx';
import { bodyOf, lacksEventTypes, newDraft, type WebhookDraft } from '../../webhooks/webhook-draft.ts';
import { WebhookFields } from '../../webhooks/webhook-fields.tsx';
import { webhooksTexts } from './texts.ts';

export function WebhooksPage() {
  const t = useTexts(webhooksTexts);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret>();
  const endpoints = useEndpoints(restingMs);
  const statistics = useWebhookStatistics();
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
        {(webhooks) =>
          webhooks.length === 0 ? <NoWebhooks /> : <WebhooksTable webhooks={webhooks} statistics={statistics.data} />
        }
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

interface WebhooksTableProps {
  readonly webhooks: readonly Webhook[];
  /** undefined while it is loaded. */
  readonly statistics: WebhookStatistics | undefined;
}

export function WebhooksTable({ webhooks, statistics }: WebhooksTableProps) {
  const t = useTexts(webhooksTexts);
  const figures = useTexts(figuresTexts);
  const words = useTexts(eventTexts);
  const format = useFormat();
  const columns: readonly Column<Webhook>[] = [
    {
      id: 'name',
      header: t.name,
      isName: true,
      cell: (webhook) => <a href={`/dashboard/webhooks/${webhook.id}`}>{endpointName(webhook)}</a>,
    },
    { id: 'state', header: t.state, cell: (webhook) => <EndpointBadge state={endpointState(webhook)} /> },
    { id: 'address', header: t.address, cell: ({ url }) => <span title={url}>{hostOf(url)}</span> },
    {
      id: 'events',
      header: t.events,
      cell: ({ eventTypes }) =>
        eventTypes.length === 0
          ? t.all
          : knownEventTypes(eventTypes)
              .map((type) => words[type])
              .join(', '),
    },
    { id: 'scope', header: t.scope, cell: ({ scope }) => (scope === 'members' ? t.members : t.self) },
    { id: 'failures', header: t.failures, isNumber: true, cell: ({ failCount }) => format.number(failCount) },
    {
      id: 'succeeded',
      header: figures.succeeded,
      isNumber: true,
      cell: ({ id }) => {
        const { successRate = null, attempts = 0 } = figuresOf(statistics, id) ?? {};
        return successRate !== null && figures.share(format.percent(successRate), format.number(attempts));
      },
    },
    {
      id: 'time',
      header: t.responseTime,
      isNumber: true,
      cell: ({ id }) => {
        const { medianMs = null, p95Ms = null } = figuresOf(statistics, id) ?? {};
        return medianMs !== null && p95Ms !== null && t.times(format.number(medianMs), format.number(p95Ms));
      },
    },
  ];
  return (
    <>
      <Table caption={t.endpoints} columns={columns} rows={webhooks} idOf={({ id }) => id} />
      <p class="muted small">{t.period}</p>
    </>
  );
}

interface CreateWebhookDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}

export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const t = useTexts(webhooksTexts);
  const isReseller = useMe()?.reseller != null;
  // Until the person changes something it follows what is known of the account.
  const [changed, setDraft] = useState<WebhookDraft>();
  const draft = changed ?? newDraft(isReseller);
  const [isTried, setTried] = useState(false);
  const create = useRepeatable(async (body: NewWebhook, headers) => (await api.createWebhook({ body, headers })).data);
  const action = useAction(create, { onDone: onCreated });
  return (
    <Dialog title={t.create} onClose={onClose} isBusy={action.isPending}>
      <Form
        onSubmit={() => {
          setTried(true);
          if (!lacksEventTypes(draft)) action.run(bodyOf(draft));
        }}
      >
        <WebhookFields draft={draft} onChange={setDraft} error={action.error} isTried={isTried} />
        <ErrorNote error={action.error} />
        <FormButtons onClose={onClose} isPending={action.isPending}>
          {t.createDo}
        </FormButtons>
      </Form>
    </Dialog>
  );
}

/**
 * A link to the account-level URL. Its settings are not read here, because the first read shows the secret, and the
 * person should have asked for it.
 */
export function AccountUrlSection() {
  const t = useTexts(webhooksTexts);
  return (
    <Section
      title={t.accountUrl}
      lead={t.accountUrlLead}
      actions={<LinkButton href="/dashboard/webhooks/account">{t.change}</LinkButton>}
    >
      {null}
    </Section>
  );
}
