import type { PartnerUsage, Subscription } from '../../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Badge, Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { planState } from './plan-state.ts';
import { subscriptionTexts } from './texts.ts';

export function SubscriptionPage() {
  const t = useTexts(subscriptionTexts);
  const subscription = useResource(async (signal) => (await api.getSubscription({ signal })).data, {
    pollMs: restingMs,
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

const features = ['sync', 'publish', 'webhooks', 'analytics', 'support', 'price'] as const;
type Feature = (typeof features)[number];

const proPriceSek = 199;

/** The two plans side by side. */
export function PlanTable({ isPro }: { readonly isPro: boolean }) {
  const t = useTexts(subscriptionTexts);
  const columns: readonly Column<Feature>[] = [
    { id: 'feature', header: t.feature, isName: true, cell: (feature) => t.features[feature] },
    {
      id: 'free',
      header: isPro ? t.free : `${t.free} (${t.yours})`,
      cell: (feature) => <Cell feature={feature} isOfPro={false} />,
    },
    {
      id: 'pro',
      header: isPro ? `${t.pro} (${t.yours})` : t.pro,
      cell: (feature) => <Cell feature={feature} isOfPro />,
    },
  ];
  return <Table caption={t.compare} columns={columns} rows={features} idOf={(feature) => feature} />;
}

function Cell({ feature, isOfPro }: { readonly feature: Feature; readonly isOfPro: boolean }) {
  const t = useTexts(subscriptionTexts);
  const format = useFormat();
  if (feature === 'price') return <>{format.money(isOfPro ? proPriceSek : 0)}</>;
  if (feature === 'support' && !isOfPro) return <span class="muted">{t.notIncluded}</span>;
  return (
    <span>
      <Icon name="check" /> {feature === 'analytics' ? t.inDashboard : t.included}
    </span>
  );
}

/** What the account stores, and its limits. */
export function Storage() {
  const t = useTexts(subscriptionTexts);
  const usage = useResource(async (signal) => (await api.getUsage({ signal })).data, {
    pollMs: restingMs,
  });
  return (
    <Section title={t.storage} lead={t.storageLead}>
      <Loaded resource={usage}>{(known) => <StorageCard usage={known} />}</Loaded>
    </Section>
  );
}

function StorageCard({ usage: { items, images, imageBytes } }: { readonly usage: PartnerUsage }) {
  const t = useTexts(subscriptionTexts);
  const format = useFormat();
  return (
    <Card>
      <Facts
        facts={[
          { label: t.storedItems, value: t.usedOf(format.number(items.used), format.number(items.limit)) },
          { label: t.storedImages, value: t.usedOf(format.number(images.used), format.number(images.limit)) },
          { label: t.storedBytes, value: t.usedOf(format.bytes(imageBytes.used), format.bytes(imageBytes.limit)) },
        ]}
      />
    </Card>
  );
}

/**
 * Leads to the page of the payment processor, which returns to the overview. The overview shows when the payment is
 * confirmed.
 */
export function Upgrade({ onLookAgain }: { readonly onLookAgain: () => void }) {
  const t = useTexts(subscriptionTexts);
  const checkout = useAction(async () => (await api.startCheckout()).data, {
    onDone: ({ url }) => {
      location.assign(url);
    },
  });
  const isNotEnded = checkout.error instanceof ItembridgeError && checkout.error.status === 409;
  const lookAgain = (): void => {
    checkout.clearError();
    onLookAgain();
  };
  return (
    <>
      <div class="row">
        <Button kind="primary" isPending={checkout.isPending} onClick={checkout.run}>
          {t.upgrade}
        </Button>
        <strong>{t.perMonth}</strong>
      </div>
      <p class="small muted">{t.upgradeText}</p>
      {isNotEnded ? (
        <Notice tone="wait" title={t.notEnded} isNews actions={<Button onClick={lookAgain}>{t.lookAgain}</Button>}>
          <p>{t.notEndedText}</p>
        </Notice>
      ) : (
        <ErrorNote error={checkout.error} />
      )}
    </>
  );
}
