import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Registered on the namespace at set-up; ids are Keyword so that lists filter exactly. docs/operations.md says what is in each. */
export const accountIdKey = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
/** How the reseller of the account calls it, when the run began or its last long wait; left out for accounts without a reseller. */
export const memberKey = defineSearchAttributeKey('Member', SearchAttributeType.KEYWORD);
export const externalIdKey = defineSearchAttributeKey('ExternalId', SearchAttributeType.KEYWORD);
/** A {@link Stage}. */
export const stageKey = defineSearchAttributeKey('Stage', SearchAttributeType.KEYWORD);
/** A key of core/operations/reasons.ts; left out while nothing blocks. */
export const blockedReasonKey = defineSearchAttributeKey('BlockedReason', SearchAttributeType.KEYWORD);
/** Of deliveries and recoveries: their target. */
export const endpointKey = defineSearchAttributeKey('Endpoint', SearchAttributeType.KEYWORD);

/** `resting`: ended, and somebody should look at the item. `applying` and `ending` are a bulk sync's. */
export type Stage = 'working' | 'waiting' | 'failing' | 'resting' | 'sending' | 'applying' | 'ending';
