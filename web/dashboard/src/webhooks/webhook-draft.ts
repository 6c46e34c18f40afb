import type { NewWebhook, Webhook } from '../../../../client/generated/types.gen.ts';
import { knownEventTypes, type EventType } from './event-types.ts';

/** An endpoint as it stands in the form. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  /** Every event, also kinds that come later; `eventTypes` waits meanwhile. */
  readonly isForAll: boolean;
  readonly eventTypes: readonly EventType[];
  readonly scope: 'self' | 'members';
  readonly autoRecover: boolean;
}

export const newDraft: WebhookDraft = {
  url: '',
  description: '',
  isForAll: true,
  eventTypes: [],
  scope: 'self',
  autoRecover: true,
};

export const draftOf = ({ url, description, eventTypes, scope, autoRecover }: Webhook): WebhookDraft => ({
  url,
  description,
  isForAll: eventTypes.length === 0,
  eventTypes: knownEventTypes(eventTypes),
  scope,
  autoRecover,
});

/** None chosen would mean all of them: that has to be said, not left out. */
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
