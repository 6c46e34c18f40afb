import { upsertSearchAttributes } from '@temporalio/workflow';
import { blockedReasonKey, stageKey, type Stage } from './contracts/search-attributes.ts';

export interface Block {
  readonly stage: Extract<Stage, 'waiting' | 'failing' | 'resting'>;
  readonly reason: string;
}

/** Sets the blocked reason, so that lists of workflows find this one. */
export const showBlock = ({ stage, reason }: Block): void =>
  upsertSearchAttributes([
    { key: stageKey, value: stage },
    { key: blockedReasonKey, value: reason },
  ]);

/** Removes the blocked reason from the search attributes, and sets the stage. */
export const hideBlock = (stage: Stage): void =>
  upsertSearchAttributes([
    { key: stageKey, value: stage },
    { key: blockedReasonKey, value: null },
  ]);

export interface Visibility {
  /** Shows the reason; no effect when it is already shown. */
  set(block: Block): void;
  /** Hides the reason, if one is shown. */
  clear(): void;
}

/** Shows and hides what blocks a run. A run that is never blocked sets no search attribute. */
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

/** A time `forMs` from now, by the workflow's clock: that of the current task, equal in every replay. */
export const timeIn = (forMs: number): Date => new Date(Date.now() + forMs);
