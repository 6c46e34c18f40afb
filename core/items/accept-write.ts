import type { Item, Processing } from './item.ts';

/** The sweep comes this long after a write whose own nudge may have been lost (protocol 1). */
export const firstNudgeDelayMs = 2_000;
export const nudgeDelayMaxMs = 600_000;

export const idle = (now: Date): Processing => ({
  stage: 'queued',
  waitingFor: null,
  attempts: 0,
  lastError: null,
  since: null,
  notBefore: null,
  updatedAt: now,
});

/** Marks a change as an accepted write: the revision goes up, so work is owed until a workflow has settled this revision. */
export const acceptWrite = (item: Item, now: Date): Item => ({
  ...item,
  revision: item.revision + 1,
  nextNudgeAt: new Date(now.getTime() + firstNudgeDelayMs),
  nudgeDelayMs: firstNudgeDelayMs,
  updatedAt: now,
});

/** Nothing is left to do for this revision. The store refuses it when any write came between (protocol 3). */
export const settle = (item: Item, now: Date): Item => ({
  ...item,
  settledRevision: item.revision,
  nextNudgeAt: null,
  processing: item.processing.waitingFor === null ? { ...idle(now), stage: 'settled' } : item.processing,
});
