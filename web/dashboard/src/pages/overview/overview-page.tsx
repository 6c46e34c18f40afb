import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PartnerAnalytics, RevenuePeriod } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { figuresMs, restingMs } from '../../api/use-polling.ts';
import { useResource, type Resource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { AllMembersChoice, useAllMembers } from '../../shell/all-members.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Attention } from './to-do.tsx';
import { Categories, Figures } from './figures.tsx';
import { FirstSteps, ThankYou } from './first-steps.tsx';
import { loadStanding, type Standing } from './load-standing.ts';
import { loadMemberTroubles, MembersToDo } from './members-to-do.tsx';
import { NoRevenue, Revenue, Summary, usePeriod } from './revenue.tsx';
import { needsSteps, type Progress } from './steps-left.ts';
import { overviewTexts } from './texts.ts';
import './overview.css';

export function OverviewPage() {
  const t = useTexts(overviewTexts);
  const [{ upgraded }] = useQuery();
  const isAll = useAllMembers();
  return (
    <Page title={t.title} lead={isAll ? t.membersLead : undefined} actions={<AllMembersChoice />}>
      {upgraded === 'true' && <ThankYou />}
      {isAll ? <OverviewOfMembers /> : <OverviewOfAccount />}
    </Page>
  );
}

function OverviewOfAccount() {
  const analytics = useAnalytics(async (options) => api.getAnalytics(options));
  const standing = useResource(loadStanding, { pollMs: restingMs });
  return (
    <Loaded resource={both(analytics, standing)}>
      {({ known, of }) => (
        <>
          {of !== undefined && <Steps analytics={known} standing={of} />}
          <Numbers known={known} toDo={of !== undefined && <WhatToDo analytics={known} standing={of} />} />
        </>
      )}
    </Loaded>
  );
}

/** For resellers: the numbers of all members together, and which lists of members need a look. */
function OverviewOfMembers() {
  const analytics = useAnalytics(async (options) => api.getMembersAnalytics(options));
  const troubles = useResource(loadMemberTroubles, { pollMs: restingMs });
  return (
    <Loaded resource={both(analytics, troubles)}>
      {({ known, of }) => <Numbers known={known} toDo={of !== undefined && <MembersToDo troubles={of} />} />}
    </Loaded>
  );
}

interface NumbersProps {
  readonly known: PartnerAnalytics;
  readonly toDo: ComponentChildren;
}

function Numbers({ known, toDo }: NumbersProps) {
  return (
    <>
      <Figures inventory={known.inventory} />
      {hasSales(known) && <Summary summary={known.revenueSummary} />}
      {toDo}
      {hasSales(known) && (
        <>
          {known.period === undefined || known.revenueSummary.totalGross === 0 ? (
            <NoRevenue />
          ) : (
            <Revenue period={known.period} />
          )}
          <Categories rows={known.categoryBreakdown} />
        </>
      )}
    </>
  );
}

interface ReadOptions {
  readonly query: { readonly period: RevenuePeriod };
  readonly signal: AbortSignal;
}

/** Shown as it was until another period is loaded, so that nothing moves. */
function useAnalytics(read: (options: ReadOptions) => Promise<{ readonly data: PartnerAnalytics }>) {
  const period = usePeriod();
  const analytics = useResource(async (signal) => (await read({ query: { period }, signal })).data, {
    pollMs: figuresMs,
  });
  const asked = useRef(period);
  useEffect(() => {
    if (asked.current !== period) analytics.reload();
    asked.current = period;
  }, [period]);
  return analytics;
}

interface Known<Of> {
  readonly known: PartnerAnalytics;
  /** undefined when it can't be read; the numbers are shown all the same. */
  readonly of: Of | undefined;
}

/** Shown when both are loaded, so that nothing moves when the second one arrives. */
function both<Of>(analytics: Resource<PartnerAnalytics>, standing: Resource<Of>): Resource<Known<Of>> {
  const { data: known } = analytics;
  const isReady = known !== undefined && (standing.data !== undefined || standing.error !== undefined);
  return {
    data: isReady ? { known, of: standing.data } : undefined,
    error: analytics.error ?? (isReady ? standing.error : undefined),
    isLoading: analytics.isLoading || standing.isLoading,
    reload: () => {
      analytics.reload();
      standing.reload();
    },
  };
}

/** An account without sales sees the first steps instead of empty charts. */
const hasSales = ({ inventory, revenueSummary: { totalGross, totalPending } }: PartnerAnalytics): boolean =>
  inventory.total > 0 || totalGross > 0 || totalPending > 0;

interface WhatToDoProps {
  readonly analytics: PartnerAnalytics;
  readonly standing: Standing;
}

/** The progress of an account; undefined when the steps are no longer needed. */
function stepsToShow({ analytics, standing }: WhatToDoProps): Progress | undefined {
  const { hasKey, connection, webhooks, hasDeliveries } = standing;
  const progress: Progress = {
    hasKey,
    hasItems: analytics.inventory.total > 0,
    isConnected: connection !== null,
    hasWebhook: webhooks.length > 0 || hasDeliveries,
  };
  return needsSteps(progress, analytics.revenueSummary.totalGross > 0) ? progress : undefined;
}

function Steps(props: WhatToDoProps) {
  const progress = stepsToShow(props);
  return progress === undefined ? null : <FirstSteps progress={progress} />;
}

function WhatToDo({ analytics, standing }: WhatToDoProps) {
  const { inventory, revenueSummary } = analytics;
  if (inventory.total === 0) return null;
  return (
    <Attention
      standing={standing}
      draftCount={inventory.draft}
      unpaidSek={revenueSummary.totalPending}
      showsSteps={stepsToShow({ analytics, standing }) !== undefined}
    />
  );
}
