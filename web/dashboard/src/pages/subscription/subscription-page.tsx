import type { Subscription } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import { planState } from './plan-state.ts';
import { PlanTable } from './plan-table.tsx';
import { Storage } from './storage.tsx';
import { subscriptionTexts } from './texts.ts';
import { Upgrade } from './upgrade.tsx';

export function SubscriptionPage() {
  const t = useTexts(subscriptionTexts);
  const subscription = useResource(async (signal) => (await api.getSubscription({ signal })).data, {
    pollMs: () => restingMs,
  });
  return (
    <Page title={t.title}>
      <Loaded resource={subscription}>
        {(known) => (
          <>
            <Plan subscription={known} onLookAgain={subscription.reload} />
            <Section title={t.compare}>
              <PlanTable isPro={known.tier === 'pro'} />
            </Section>
          </>
        )}
      </Loaded>
      <Storage />
    </Page>
  );
}

interface PlanProps {
  readonly subscription: Subscription;
  readonly onLookAgain: () => void;
}

function Plan({ subscription, onLookAgain }: PlanProps) {
  const t = useTexts(subscriptionTexts);
  const format = useFormat();
  const state = planState(subscription);
  const { subscribedAt, expiresAt } = subscription;
  const name = state === 'free' ? t.free : t.pro;
  return (
    <Section title={t.now}>
      {state === 'late' && (
        <Notice tone="bad" title={t.late} isNews>
          <p>{expiresAt === null ? t.lateTextNoDate : t.lateText(format.day(expiresAt))}</p>
          <p>{t.lateWhat}</p>
          <p>{t.lateWhatElse}</p>
        </Notice>
      )}
      <Card>
        <Facts
          facts={[
            {
              label: t.plan,
              value: (
                <span class="row">
                  <strong>{name}</strong>
                  {state === 'pro' && <Badge tone="ok">{t.isPro}</Badge>}
                  {state === 'late' && <Badge tone="bad">{t.late}</Badge>}
                </span>
              ),
            },
            { label: t.since, value: subscribedAt && format.day(subscribedAt) },
            { label: state === 'late' ? t.ranOut : t.paidUntil, value: expiresAt && format.day(expiresAt) },
          ]}
        />
        {state === 'pro' && <p class="muted">{t.proText}</p>}
        {state === 'free' && (
          <>
            <p>{t.freeText}</p>
            <Upgrade onLookAgain={onLookAgain} />
          </>
        )}
      </Card>
    </Section>
  );
}
