import type { NewWebhook, Webhook } from '../../../../client/generated/types.gen.ts';
import { knownEventTypes, type EventType } from './event-types.ts';

/** An endpoint as the form holds it. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  /** The types that an empty list stands for; `eventTypes` is ignored then. */
  readonly isForAll: boolean;
  readonly eventTypes: readonly EventType[];
  readonly scope: 'self' | 'members';
  readonly autoRecover: boolean;
}

/** A reseller sells little itself: what it wants to hear of happens to its members. */
export const newDraft = (isReseller: boolean): WebhookDraft => ({
  url: '',
  description: '',
  isForAll: true,
  eventTypes: [],
  scope: isReseller ? 'members' : 'self',
  autoRecover: true,
});

export const draftOf = ({ url, description, eventTypes, scope, autoRecover }: Webhook): WebhookDraft => ({
  url,
  description,
  isForAll: eventTypes.length === 0,
  eventTypes: knownEventTypes(eventTypes),
  scope,
  autoRecover,
});

/** No type is ticked. The service would read that as all types, so the form asks for a choice. */
export const lacksEventTypes = ({ isForAll, eventTypes }: WebhookDraft): boolean =>
  !isForAll && eventTypes.length === 0;

type DraftBody = Required<Pick<NewWebhook, 'url' | 'description' | 'scope' | 'autoRecover'>> & {
  readonly eventTypes: EventType[];
};

export const bodyOf = ({ url, description, isForAll, eventTypes, scope, autoRecover }: WebhookDraft): DraftBody => ({
  url: url.trim(),
  description: description.trim(),
  eventTypes: isForAll ? [] : [...eventTypes],
  scope,
  autoRecover,
});
