import { useState } from 'preact/hooks';
import type { MarketplaceConnection } from '../../../../../client/generated/types.gen.ts';
import { api, nullWhenMissing } from '../../api/api.ts';
import { reloadMe, useMe } from '../../api/me.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts, Time } from '../../ui/facts.tsx';
import { Badge } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ConnectForm } from './connect-form.tsx';
import { TermsSection } from './terms-form.tsx';
import { connectionTexts } from './texts.ts';

export function ConnectionPage() {
  const t = useTexts(connectionTexts);
  const memberOf = useMe()?.memberOf ?? null;
  const [isNew, setNew] = useState(false);
  const connection = useResource(
    async (signal) => (await nullWhenMissing(api.getMarketplaceConnection({ signal })))?.data ?? null,
    { pollMs: watchedMs },
  );
  const reload = (isConnected: boolean): void => {
    setNew(isConnected);
    connection.reload();
    reloadMe();
  };
  return (
    <Page title={t.title} lead={t.lead}>
      {memberOf !== null && (
        <Notice tone="info">
          <p>{t.ofMember(memberOf.displayName)}</p>
        </Notice>
      )}
      <Loaded resource={connection}>
        {(data) => (
          <>
            <Standing connection={data} isNew={isNew} />
            {data !== null && <ConnectionFacts connection={data} />}
            <ConnectForm
              key={data?.connectedAt}
              connection={data}
              onConnected={() => {
                reload(true);
              }}
            />
            {data !== null && (
              <Disconnect
                onDone={() => {
                  reload(false);
                }}
              />
            )}
          </>
        )}
      </Loaded>
      <TermsSection />
    </Page>
  );
}

interface StandingProps {
  readonly connection: MarketplaceConnection | null;
  /** The person has just connected it. */
  readonly isNew: boolean;
}

/** The effect of the state on items, and what to do. */
function Standing({ connection, isNew }: StandingProps) {
  const t = useTexts(connectionTexts);
  if (connection === null)
    return (
      <Notice tone="wait" title={t.none}>
        <p>{t.noneLead}</p>
      </Notice>
    );
  if (connection.state === 'expired')
    return (
      <Notice tone="bad" title={t.expired} isNews>
        <p>{t.expiredLead}</p>
      </Notice>
    );
  if (!isNew) return null;
  return (
    <Notice tone="ok" title={t.saved} isNews actions={<LinkButton href="/dashboard/items">{t.toItems}</LinkButton>}>
      <p>{t.waiting}</p>
    </Notice>
  );
}

export function ConnectionFacts({ connection }: { readonly connection: MarketplaceConnection }) {
  const t = useTexts(connectionTexts);
  const { marketplaceUserId, state, connectedAt, updatedAt } = connection;
  const isExpired = state === 'expired';
  return (
    <Card>
      <Facts
        facts={[
          {
            label: t.state,
            value: isExpired ? <Badge tone="bad">{t.expired}</Badge> : <Badge tone="ok">{t.connected}</Badge>,
          },
          { label: t.user, value: <code>{marketplaceUserId}</code> },
          { label: isExpired ? t.tokenGiven : t.since, value: <Time at={connectedAt} /> },
          { label: t.expiredAt, value: isExpired ? <Time at={updatedAt} /> : null },
        ]}
      />
      {!isExpired && <p class="muted small">{t.noWarning}</p>}
    </Card>
  );
}

export function Disconnect({ onDone }: { readonly onDone: () => void }) {
  const t = useTexts(connectionTexts);
  return (
    <div class="row">
      <ConfirmButton
        kind="danger"
        title={t.disconnectTitle}
        body={
          <div class="stack">
            {t.disconnectBody.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        }
        toast={t.disconnected}
        onConfirm={async () => api.disconnectMarketplace()}
        onDone={onDone}
      >
        {t.disconnect}
      </ConfirmButton>
    </div>
  );
}
