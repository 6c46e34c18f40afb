import { useMemo } from 'preact/hooks';
import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { EndpointBadge } from '../../webhooks/endpoint-badge.tsx';
import { endpointState } from '../../webhooks/endpoint-state.ts';
import { endpointName, useEndpoints } from '../../webhooks/use-endpoints.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointNotice } from './endpoint-notice.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { RecoverSection } from './recover-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { endpointTarget } from './target.ts';
import { TestAndLog } from './test-and-log.tsx';
import { webhookTexts } from './texts.ts';

export function EndpointPage({ id }: { readonly id: string }) {
  const t = useTexts(webhookTexts);
  const endpoints = useEndpoints(() => restingMs);
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
      <EndpointFacts endpoint={endpoint} />
      <TestAndLog target={target} />
      <RecoverSection target={target} isActive={endpoint.active} />
      <EndpointSettings endpoint={endpoint} onChanged={onChanged} />
      <SecretSection target={target} hint={endpoint.secretHint} onRotated={onChanged} />
    </>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: Webhook }) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const { url, createdAt, updatedAt, failCount, lastFailureAt } = endpoint;
  return (
    <Facts
      facts={[
        { label: t.address, value: <code>{url}</code> },
        { label: t.failures, value: format.number(failCount) },
        { label: t.lastFailure, value: lastFailureAt === null ? null : <Time at={lastFailureAt} /> },
        { label: t.created, value: <Time at={createdAt} /> },
        { label: t.changed, value: updatedAt === createdAt ? null : <Time at={updatedAt} /> },
      ]}
    />
  );
}
