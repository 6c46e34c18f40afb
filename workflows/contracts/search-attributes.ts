import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Registered on the namespace at set-up; ids are Keyword so that lists filter exactly. */
export const accountIdKey = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
export const externalIdKey = defineSearchAttributeKey('ExternalId', SearchAttributeType.KEYWORD);
export const stageKey = defineSearchAttributeKey('Stage', SearchAttributeType.KEYWORD);
export const blockedReasonKey = defineSearchAttributeKey('BlockedReason', SearchAttributeType.KEYWORD);
export const endpointKey = defineSearchAttributeKey('Endpoint', SearchAttributeType.KEYWORD);
