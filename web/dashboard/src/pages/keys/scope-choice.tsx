import { useId } from 'preact/hooks';
import { useTexts } from '../../i18n/define-texts.ts';
import { CheckField } from '../../ui/field.tsx';
import { keyScopes, lacksScopes, withScope, type KeyDraft } from './key-draft.ts';
import { keysTexts } from './texts.ts';
import './scope-choice.css';

interface ScopeChoiceProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly isTried: boolean;
}

/** Everything, or what is ticked. */
export function ScopeChoice({ draft, onChange, isTried }: ScopeChoiceProps) {
  const t = useTexts(keysTexts);
  const problemId = useId();
  const isLacking = isTried && lacksScopes(draft);
  return (
    <fieldset class="scope-choice" aria-describedby={isLacking ? problemId : undefined}>
      <legend>{t.scopes}</legend>
      <CheckField
        label={t.everything}
        hint={t.everythingHint}
        isChecked={draft.isForAll}
        onChange={(isForAll) => {
          onChange({ ...draft, isForAll });
        }}
      />
      {!draft.isForAll &&
        keyScopes.map((scope) => (
          <CheckField
            key={scope}
            label={t.scopeNames[scope]}
            isChecked={draft.scopes.includes(scope)}
            onChange={(isTicked) => {
              onChange(withScope(draft, scope, isTicked));
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
