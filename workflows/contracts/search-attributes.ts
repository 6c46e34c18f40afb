import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/**
 * Registered on the namespace at set-up; ids are Keyword, so that lists filter exactly. docs/operations.md explains their
 * content.
 */
export const accountIdKey = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
export const externalIdKey = defineSearchAttributeKey('ExternalId', SearchAttributeType.KEYWORD);
/** A {@link Stage}. */
export const stageKey = defineSearchAttributeKey('Stage', SearchAttributeType.KEYWORD);
/** A key of features/operations/rules/reasons.ts; not set while nothing blocks the workflow. */
export const blockedReasonKey = defineSearchAttributeKey('BlockedReason', SearchAttributeType.KEYWORD);
/** Target of a delivery or recovery. */
export const endpointKey = defineSearchAttributeKey('Endpoint', SearchAttributeType.KEYWORD);

/** `resting`: the work has ended, and the item needs attention. `applying` and `ending` are for bulk syncs. */
export type Stage = 'working' | 'waiting' | 'failing' | 'resting' | 'sending' | 'applying' | 'ending';
