import { useMe } from '../api/me.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { problemOf } from '../ui/describe-problem.ts';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { EventChoice } from './event-choice.tsx';
import { formTexts } from './form-texts.ts';
import type { WebhookDraft } from './webhook-draft.ts';

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  /** Of the last try to send it. */
  readonly error: unknown;
  /** Somebody tried to send it: what is missing is said now. */
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
