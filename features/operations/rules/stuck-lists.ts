import { blockedReasons, isTrouble, textOfReason } from './reasons.ts';

/** A list of workflows in the Temporal UI. */
export interface StuckList {
  readonly name: string;
  /** In the UI's list filter language. */
  readonly query: string;
  readonly about: string;
}

const running = "ExecutionStatus = 'Running'";

/** Everything that waits, rests or fails: the first list to look at. */
export const everythingStuck: StuckList = {
  name: 'everything',
  query: `${running} AND BlockedReason IS NOT NULL`,
  about: 'all that waits, rests or fails',
};

/**
 * The prepared lists of docs/operations.md: all stuck work, one for each reason, and runs whose step fails for any
 * reason.
 */
export const stuckLists: readonly StuckList[] = [
  everythingStuck,
  ...blockedReasons.filter(isTrouble).map((reason) => ({
    ...{ name: reason, query: `${running} AND BlockedReason = '${reason}'`, about: textOfReason(reason).what },
  })),
  {
    name: 'failing_code',
    query: `${running} AND TemporalReportedProblems IN ('category=WorkflowTaskFailed', 'category=WorkflowTaskTimedOut')`,
    about: 'workflows whose code fails, or whose worker is too slow',
  },
  {
    name: 'at_work',
    query: `${running} AND BlockedReason IS NULL`,
    about: 'work that is being done; grows while no worker runs',
  },
];
