import { useMemo } from 'preact/hooks';
import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { navigate } from '../../routing/location.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts, Time } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, ErrorNote, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { endpointState } from '../../webhooks/endpoint-state.ts';
import { EndpointBadge, endpointName, useEndpoints } from '../../webhooks/endpoints.tsx';
import { ReceiverFigures } from '../../webhooks/receiver-figures.tsx';
import { tellDeliveryFailure } from '../../words/delivery-failures.ts';
import { EndpointSettings } from './endpoint-settings.tsx';
import { ReceiverColumns } from './receiver-columns.tsx';
import { RecoverSection } from './recover-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { endpointTarget } from './target.ts';
import { TestAndLog } from './test-and-log.tsx';
import { webhookTexts } from './texts.ts';

export function EndpointPage({ id }: { readonly id: string }) {
  const t = useTexts(webhookTexts);
  const endpoints = useEndpoints(restingMs);
  const endpoint = endpoints.data?.find((one) => one.id === id);
  return (
    <Page
      title={endpoint === undefined ? t.title : endpointName(endpoint)}
      parent={{ href: '/dashboard/webhooks', label: t.parent }}
      {...(endpoint !== undefined && {
        lead: <EndpointBadge state={endpointState(endpoint)} />,
        actions: <EndpointActions endpoint={endpoint} onChanged={endpoints.reload} />,
      })}
    >
      <Loaded resource={endpoints}>
        {() =>
          endpoint === undefined ? <NoEndpoint /> : <EndpointBody endpoint={endpoint} onChanged={endpoints.reload} />
        }
      </Loaded>
    </Page>
  );
}

function NoEndpoint() {
  const t = useTexts(webhookTexts);
  return (
    <Empty title={t.gone} actions={<LinkButton href="/dashboard/webhooks">{t.toList}</LinkButton>}>
      <p>{t.goneLead}</p>
    </Empty>
  );
}

function EndpointBody({ endpoint, onChanged }: { readonly endpoint: Webhook; readonly onChanged: () => void }) {
  const target = useMemo(() => endpointTarget(endpoint.id), [endpoint.id]);
  return (
    <>
      <EndpointNotice endpoint={endpoint} onChanged={onChanged} />
      <ReceiverColumns
        facts={
          <>
            <EndpointFacts endpoint={endpoint} />
            <ReceiverFigures logId={target.logId} />
          </>
        }
        log={
          <>
            <TestAndLog target={target} />
            <RecoverSection target={target} isActive={endpoint.active} />
          </>
        }
        settings={
          <>
            <EndpointSettings endpoint={endpoint} onChanged={onChanged} />
            <SecretSection target={target} hint={endpoint.secretHint} onRotated={onChanged} />
          </>
        }
      />
    </>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: Webhook }) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const { url, calledHost, createdAt, updatedAt, failCount, lastFailureAt } = endpoint;
  return (
    <Facts
      facts={[
        { label: t.address, value: <code>{url}</code> },
        { label: t.calledHost, value: calledHost === undefined ? null : <code>{calledHost}</code> },
        { label: t.failures, value: format.number(failCount) },
        { label: t.lastFailure, value: lastFailureAt === null ? null : <Time at={lastFailureAt} /> },
        { label: t.created, value: <Time at={createdAt} /> },
        { label: t.changed, value: updatedAt === createdAt ? null : <Time at={updatedAt} /> },
      ]}
    />
  );
}

interface EndpointNoticeProps {
  readonly endpoint: Webhook;
  readonly onChanged: () => void;
}

/** Why nothing is sent, or will soon not be, and what to do. */
function EndpointNotice({ endpoint, onChanged }: EndpointNoticeProps) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const enable = useAction(async () => api.updateWebhook({ path: { id: endpoint.id }, body: { active: true } }), {
    toast: t.enabled,
    onDone: onChanged,
  });
  const state = endpointState(endpoint);
  const { failCount, lastError, disabledAt, autoRecover } = endpoint;
  if (state === 'working') return null;
  if (state === 'warned' || state === 'failing')
    return (
      <Notice tone={state === 'warned' ? 'bad' : 'wait'} {...(state === 'warned' && { title: t.isWarned })}>
        <p>{t.isWarnedLead(format.number(failCount))}</p>
        <LastError text={lastError} />
      </Notice>
    );
  const isDisabled = state === 'disabled';
  return (
    <>
      <Notice
        tone={isDisabled ? 'bad' : 'wait'}
        title={isDisabled ? t.isDisabled : t.isPaused}
        actions={
          <Button kind="primary" onClick={enable.run} isPending={enable.isPending}>
            {t.enable}
          </Button>
        }
      >
        {disabledAt !== null && (
          <p>
            <Time at={disabledAt} />
          </p>
        )}
        <p>{isDisabled ? t.isDisabledLead : t.isPausedLead}</p>
        {isDisabled && <LastError text={lastError} />}
        <p>{autoRecover ? t.afterEnabling : t.afterEnablingNot}</p>
      </Notice>
      <ErrorNote error={enable.error} />
    </>
  );
}

function LastError({ text }: { readonly text: string | null }) {
  const t = useTexts(webhookTexts);
  const language = useLanguage();
  if (text === null) return null;
  return (
    <p>
      {t.lastError} {tellDeliveryFailure(text, language)}.
    </p>
  );
}

interface EndpointActionsProps {
  readonly endpoint: Webhook;
  readonly onChanged: () => void;
}

/** Actions on the whole endpoint. The button that enables it is next to the reason why it is disabled. */
function EndpointActions({ endpoint: { id, active }, onChanged }: EndpointActionsProps) {
  const t = useTexts(webhookTexts);
  return (
    <>
      <ConfirmButton
        isOffered={active}
        title={t.pauseTitle}
        body={t.pauseBody}
        toast={t.paused}
        onConfirm={async () => api.updateWebhook({ path: { id }, body: { active: false } })}
        onDone={onChanged}
      >
        {t.pause}
      </ConfirmButton>
      <ConfirmButton
        kind="danger"
        title={t.removeTitle}
        body={t.removeBody}
        toast={t.removed}
        onConfirm={async () => api.deleteWebhook({ path: { id } })}
        onDone={() => {
          navigate('/dashboard/webhooks', { isReplacement: true });
        }}
      >
        {t.remove}
      </ConfirmButton>
    </>
  );
}
