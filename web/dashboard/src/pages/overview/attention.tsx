import type { ComponentChildren } from 'preact';
import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import type { Standing } from './load-standing.ts';
import { Suggestions } from './suggestions.tsx';
import { overviewTexts } from './texts.ts';
import { useItemCount } from './use-item-count.ts';

interface AttentionProps {
  readonly standing: Standing;
  readonly draftCount: number;
  /** Of orders that wait for payment, in SEK. */
  readonly unpaidSek: number;
  readonly showsSteps: boolean;
}

/** What stands still until somebody does something, the gravest first. */
export function Attention({ standing, draftCount, unpaidSek, showsSteps }: AttentionProps) {
  const t = useTexts(overviewTexts);
  const { connection, webhooks, subscription, failing } = standing;
  const troubled = webhooks.filter(({ disabledReason, warning }) => disabledReason !== null || warning !== null);
  const isLate = subscription.tier === 'pro' && !subscription.isPro;
  // The first steps say already that there never was one.
  const isUnconnected = connection === null ? !showsSteps : connection.state === 'expired';
  // Without a connection nothing can be put up: that is said already.
  const isUnlisted = standing.hasUnlisted && connection?.state === 'connected';
  const isInTrouble = isUnconnected || isLate || troubled.length > 0 || failing.length > 0;
  const isWell = !isInTrouble && !isUnlisted && draftCount + unpaidSek === 0;
  return (
    <Section title={t.attention}>
      {isWell && <p class="muted">{t.allWell}</p>}
      <div class="stack">
        {isUnconnected && <Unconnected isExpired={connection !== null} />}
        {failing.length > 0 && <Failing standing={standing} />}
        {troubled.map((webhook) => (
          <TroubledWebhook key={webhook.id} webhook={webhook} />
        ))}
        {isLate && (
          <Notice
            tone="wait"
            title={t.late}
            actions={<LinkButton href="/dashboard/subscription">{t.showSubscription}</LinkButton>}
          >
            <p>{t.lateText}</p>
          </Notice>
        )}
        <Suggestions draftCount={draftCount} unpaidSek={unpaidSek} hasUnlisted={isUnlisted} />
      </div>
    </Section>
  );
}

function Unconnected({ isExpired }: { readonly isExpired: boolean }) {
  const t = useTexts(overviewTexts);
  return (
    <Notice
      tone="bad"
      title={isExpired ? t.expired : t.missing}
      actions={<LinkButton href="/dashboard/connection">{t.connect}</LinkButton>}
    >
      <p>{isExpired ? t.expiredText : t.missingText}</p>
    </Notice>
  );
}

function Failing({ standing: { failing, hasMoreFailing } }: { readonly standing: Standing }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const itemCount = useItemCount();
  const count = hasMoreFailing ? t.manyItems(format.number(failing.length)) : itemCount(failing.length);
  return (
    <Notice
      tone="bad"
      title={t.failing(count)}
      actions={<LinkButton href="/dashboard/items?marketplaceStatus=sync_error">{t.showFailing}</LinkButton>}
    >
      <p>{t.failingText}</p>
      <ul class="overview-failing">
        {failing.map(({ externalId, title }) => (
          <li key={externalId}>
            <a href={`/dashboard/items/${encodeURIComponent(externalId)}`}>{title}</a>{' '}
            <span class="code small muted">{externalId}</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function TroubledWebhook({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(overviewTexts);
  const { id, url, disabledReason, warning } = webhook;
  const said: ComponentChildren = disabledReason ?? warning?.message;
  return (
    <Notice
      tone={disabledReason === null ? 'wait' : 'bad'}
      title={disabledReason === null ? t.hookWarning : t.hookDisabled}
      actions={<LinkButton href={`/dashboard/webhooks/${id}`}>{t.showHook}</LinkButton>}
    >
      <p class="code">{url}</p>
      {disabledReason !== null && <p>{t.hookDisabledText}</p>}
      <p lang="en" class="small">
        {said}
      </p>
    </Notice>
  );
}
