import { useId } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { CheckField } from '../ui/field.tsx';
import { EventName } from './event-name.tsx';
import { eventTypes, type EventType } from './event-types.ts';
import { formTexts } from './form-texts.ts';
import { lacksEventTypes, type WebhookDraft } from './webhook-draft.ts';
import './event-choice.css';

interface EventChoiceProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  readonly isTried: boolean;
}

/** All events, or those that are ticked. */
export function EventChoice({ draft, onChange, isTried }: EventChoiceProps) {
  const t = useTexts(formTexts);
  const problemId = useId();
  const isLacking = isTried && lacksEventTypes(draft);
  const tick = (type: EventType, isChecked: boolean): void => {
    const chosen = eventTypes.filter((one) => (one === type ? isChecked : draft.eventTypes.includes(one)));
    onChange({ ...draft, eventTypes: chosen });
  };
  return (
    <fieldset class="event-choice" aria-describedby={isLacking ? problemId : undefined}>
      <legend>{t.events}</legend>
      <CheckField
        label={t.allEvents}
        hint={t.allEventsHint}
        isChecked={draft.isForAll}
        onChange={(isForAll) => {
          onChange({ ...draft, isForAll });
        }}
      />
      {!draft.isForAll &&
        eventTypes.map((type) => (
          <CheckField
            key={type}
            label={<EventName type={type} />}
            isChecked={draft.eventTypes.includes(type)}
            onChange={(isChecked) => {
              tick(type, isChecked);
            }}
          />
        ))}
      {isLacking && (
        <p id={problemId} class="field-problem" role="alert">
          {t.chooseOne}
        </p>
      )}
    </fieldset>
  );
}
