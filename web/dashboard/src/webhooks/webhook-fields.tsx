import { useId } from 'preact/hooks';
import { useMe } from '../api/me.ts';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { problemOf } from '../ui/describe-problem.ts';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { EventName } from './event-name.tsx';
import { eventTypes, type EventType } from './event-types.ts';
import { lacksEventTypes, type WebhookDraft } from './webhook-draft.ts';

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  /** Error of the last attempt to send it. */
  readonly error: unknown;
  /** The person has tried to send it, so missing fields are reported. */
  readonly isTried: boolean;
}

export function WebhookFields({ draft, onChange, error, isTried }: WebhookFieldsProps) {
  const t = useTexts(formTexts);
  const isReseller = useMe()?.reseller != null;
  return (
    <>
      <TextField
        label={t.url}
        hint={t.urlHint}
        type="url"
        value={draft.url}
        placeholder="https://erp.example.se/hooks/items"
        lengthMax={2_048}
        problem={problemOf(error, 'url')}
        onInput={(url) => {
          onChange({ ...draft, url });
        }}
      />
      <TextField
        label={t.label}
        hint={t.labelHint}
        isOptional
        value={draft.description}
        lengthMax={500}
        problem={problemOf(error, 'description')}
        onInput={(description) => {
          onChange({ ...draft, description });
        }}
      />
      <EventChoice draft={draft} onChange={onChange} isTried={isTried} />
      {(isReseller || draft.scope === 'members') && (
        <SelectField
          label={t.scope}
          value={draft.scope}
          choices={[
            { value: 'self', label: t.self },
            { value: 'members', label: t.members },
          ]}
          problem={problemOf(error, 'scope')}
          onChange={(scope) => {
            onChange({ ...draft, scope });
          }}
        />
      )}
      <CheckField
        label={t.autoRecover}
        hint={t.autoRecoverHint}
        isChecked={draft.autoRecover}
        onChange={(autoRecover) => {
          onChange({ ...draft, autoRecover });
        }}
      />
    </>
  );
}

interface EventChoiceProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  readonly isTried: boolean;
}

/** The usual events, or the ticked ones. */
function EventChoice({ draft, onChange, isTried }: EventChoiceProps) {
  const t = useTexts(formTexts);
  const problemId = useId();
  const isLacking = isTried && lacksEventTypes(draft);
  const tick = (type: EventType, isChecked: boolean): void => {
    const chosen = eventTypes.filter((one) => (one === type ? isChecked : draft.eventTypes.includes(one)));
    onChange({ ...draft, eventTypes: chosen });
  };
  return (
    <fieldset class="checks" aria-describedby={isLacking ? problemId : undefined}>
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

const formTexts = defineTexts({
  sv: {
    url: 'Adress',
    urlHint: 'En https-adress som tar emot POST och svarar 2xx inom 10 sekunder.',
    label: 'Namn',
    labelHint: 'Det du själv kallar mottagaren, till exempel ”Affärssystemet”.',
    events: 'Händelser',
    allEvents: 'De vanliga händelserna',
    allEventsHint:
      'Allt om artiklar och auktioner. Betalda, skickade och makulerade ordrar och andras ändringar väljer du särskilt.',
    chooseOne: 'Välj minst en händelse.',
    scope: 'Vems händelser',
    self: 'Mina egna artiklar',
    members: 'Mina medlemmars artiklar',
    autoRecover: 'Skicka missade händelser igen automatiskt',
    autoRecoverHint: 'När mottagaren svarar igen får den det som den har missat de senaste 72 timmarna.',
  },
  en: {
    url: 'URL',
    urlHint: 'An https URL that accepts POST and responds with 2xx within 10 seconds.',
    label: 'Name',
    labelHint: 'Your own name for the receiver, for example “ERP”.',
    events: 'Events',
    allEvents: 'The usual events',
    allEventsHint:
      'Everything about items and auctions. Paid, shipped and cancelled orders, and changes by others, are chosen separately.',
    chooseOne: 'Choose at least one event.',
    scope: 'Whose events',
    self: 'My own items',
    members: 'My members’ items',
    autoRecover: 'Resend missed events automatically',
    autoRecoverHint: 'When the receiver responds again, it gets everything it missed in the last 72 hours.',
  },
});
