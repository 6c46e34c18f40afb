import { useId, useState } from 'preact/hooks';
import type { GeneratedApiKey, KeyMode, NewApiKey } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction, useRepeatable } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Dialog, FormButtons } from '../../ui/confirm-button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { keyBodyOf, keyScopes, lacksScopes, lifetimes, newKeyDraft, withScope, type KeyDraft } from './key-draft.ts';
import { keysTexts } from './texts.ts';

interface GenerateKeyDialogProps {
  /** The modes that the service offers; the first is the default. */
  readonly modes: readonly KeyMode[];
  readonly onClose: () => void;
  readonly onGenerated: (key: GeneratedApiKey) => void;
}

export function GenerateKeyDialog({ modes, onClose, onGenerated }: GenerateKeyDialogProps) {
  const t = useTexts(keysTexts);
  const [draft, setDraft] = useState(newKeyDraft);
  const [isTried, setTried] = useState(false);
  const generate = useRepeatable(
    async (body: NewApiKey, headers) => (await api.generateApiKey({ body, headers })).data,
  );
  const action = useAction(generate, { onDone: onGenerated });
  return (
    <Dialog title={t.generateTitle} onClose={onClose} isBusy={action.isPending}>
      <Form
        onSubmit={() => {
          setTried(true);
          if (!lacksScopes(draft)) action.run(keyBodyOf(draft, Date.now()));
        }}
      >
        <TextField
          label={t.name}
          hint={t.nameHint}
          value={draft.name}
          onInput={(name) => {
            setDraft({ ...draft, name });
          }}
          lengthMax={100}
          problem={problemOf(action.error, 'name')}
        />
        <ModeChoice modes={modes} draft={draft} onChange={setDraft} />
        <ScopeChoice draft={draft} onChange={setDraft} isTried={isTried} />
        <SelectField
          label={t.ends}
          hint={t.endsHint}
          value={draft.lifetime}
          choices={lifetimes.map((value) => ({ value, label: t.lifetimes[value] }))}
          onChange={(lifetime) => {
            setDraft({ ...draft, lifetime });
          }}
        />
        <TextField
          label={t.addresses}
          hint={t.addressesHint}
          value={draft.addresses}
          onInput={(addresses) => {
            setDraft({ ...draft, addresses });
          }}
          isOptional
        />
        <ErrorNote error={action.error} />
        <FormButtons onClose={onClose} isPending={action.isPending}>
          {t.generate}
        </FormButtons>
      </Form>
    </Dialog>
  );
}

interface ModeChoiceProps {
  readonly modes: readonly KeyMode[];
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
}

/** Live or test; hidden when the service offers only one of them. */
function ModeChoice({ modes, draft, onChange }: ModeChoiceProps) {
  const t = useTexts(keysTexts);
  const [usual] = modes;
  if (usual === undefined || modes.length === 1) return null;
  return (
    <SelectField
      label={t.mode}
      hint={t.modeHint}
      value={draft.mode ?? usual}
      choices={modes.map((value) => ({ value, label: t.modes[value] }))}
      onChange={(mode) => {
        onChange({ ...draft, mode });
      }}
    />
  );
}

interface ScopeChoiceProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly isTried: boolean;
}

/** All scopes, or the ticked ones. */
function ScopeChoice({ draft, onChange, isTried }: ScopeChoiceProps) {
  const t = useTexts(keysTexts);
  const problemId = useId();
  const isLacking = isTried && lacksScopes(draft);
  return (
    <fieldset class="checks" aria-describedby={isLacking ? problemId : undefined}>
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
