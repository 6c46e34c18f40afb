import type { PartnerAnalytics } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Attention } from './attention.tsx';
import { Categories } from './categories.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { loadStanding, type Standing } from './load-standing.ts';
import { Revenue } from './revenue.tsx';
import { needsSteps, type Progress } from './steps-left.ts';
import { overviewTexts } from './texts.ts';
import { ThankYou } from './thank-you.tsx';
import './overview.css';

export function OverviewPage() {
  const t = useTexts(overviewTexts);
  const [{ upgraded }] = useQuery();
  const analytics = useResource(async (signal) => (await api.getAnalytics({ signal })).data, {
    pollMs: () => restingMs,
    shows: [{ kind: 'items' }, { kind: 'orders' }],
  });
  const standing = useResource(loadStanding, {
    pollMs: () => restingMs,
    shows: [{ kind: 'items' }, { kind: 'deliveries' }],
  });
  return (
    <Page title={t.title}>
      {upgraded === 'true' && <ThankYou />}
      <Loaded resource={analytics}>
        {(known) => (
          <>
            <Loaded resource={standing}>{(of) => <WhatToDo analytics={known} standing={of} />}</Loaded>
            <Figures inventory={known.inventory} />
            {hasSales(known) && (
              <>
                <Revenue analytics={known} />
                <Categories rows={known.categoryBreakdown} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Somebody who has not begun to sell gets the way there instead of empty charts. */
const hasSales = ({ inventory, revenueSummary: { totalGross, totalPending } }: PartnerAnalytics): boolean =>
  inventory.total > 0 || totalGross > 0 || totalPending > 0;

interface WhatToDoProps {
  readonly analytics: PartnerAnalytics;
  readonly standing: Standing;
}

function WhatToDo({ analytics: { inventory, revenueSummary }, standing }: WhatToDoProps) {
  const { hasKey, connection, webhooks, hasDeliveries } = standing;
  const progress: Progress = {
    hasKey,
    hasItems: inventory.total > 0,
    isConnected: connection !== null,
    hasWebhook: webhooks.length > 0 || hasDeliveries,
  };
  const showsSteps = needsSteps(progress, revenueSummary.totalGross > 0);
  return (
    <>
      {showsSteps && <FirstSteps progress={progress} />}
      {progress.hasItems && (
        <Attention
          standing={standing}
          draftCount={inventory.draft}
          unpaidSek={revenueSummary.totalPending}
          showsSteps={showsSteps}
        />
      )}
    </>
  );
}
