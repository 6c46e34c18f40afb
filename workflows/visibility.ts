import { upsertSearchAttributes } from '@temporalio/workflow';
import { blockedReasonKey, memberKey, stageKey, type Stage } from './contracts/search-attributes.ts';

export interface Block {
  readonly stage: Extract<Stage, 'waiting' | 'failing' | 'resting'>;
  readonly reason: string;
  /** How the account's reseller calls it now; left out when it has none, or that is not known. */
  readonly member?: string | null | undefined;
}

/** Lists of workflows find this one by why it stands still. */
export const showBlock = ({ stage, reason, member }: Block): void =>
  upsertSearchAttributes([
    { key: stageKey, value: stage },
    { key: blockedReasonKey, value: reason },
    ...(member == null ? [] : [{ key: memberKey, value: member }]),
  ]);

export const hideBlock = (stage: Stage): void =>
  upsertSearchAttributes([
    { key: stageKey, value: stage },
    { key: blockedReasonKey, value: null },
  ]);

/** How long something must be stuck before lists show it: most trouble is over sooner, and each showing is a write of the engine's. */
export const worthShowingMs = 2_000;

export interface Visibility {
  /** Shows why; nothing when that is shown already. */
  set(block: Block): void;
  /** Takes it away, when it is shown. */
  clear(): void;
}

/**
 * Shows and hides what blocks a run. A run that nothing blocks sets no search attribute.
 */
export function createVisibility(working: Stage): Visibility {
  let shown: string | null = null;
  return {
    set: (block) => {
      const wanted = `${block.stage} ${block.reason}`;
      if (shown === wanted) return;
      shown = wanted;
      showBlock(block);
    },
    clear: () => {
      if (shown === null) return;
      shown = null;
      hideBlock(working);
    },
  };
}

/** The workflow's own time: of the task that is being worked on, the same in every replay. */
export const timeIn = (forMs: number): Date => new Date(Date.now() + forMs);
