import { useState } from 'preact/hooks';
import type { GeneratedApiKey, KeyMode, NewApiKey } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useRepeatable } from '../../api/use-repeatable.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { keyBodyOf, lacksScopes, lifetimes, newKeyDraft } from './key-draft.ts';
import { ModeChoice } from './mode-choice.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { keysTexts } from './texts.ts';

interface GenerateKeyDialogProps {
  /** Those that the service offers; the first is its default. */
  readonly modes: readonly KeyMode[];
  readonly onClose: () => void;
  readonly onGenerated: (key: GeneratedApiKey) => void;
}

export function GenerateKeyDialog({ modes, onClose, onGenerated }: GenerateKeyDialogProps) {
  const t = useTexts(keysTexts);
  const ui = useTexts(uiTexts);
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
        <div class="dialog-actions">
          <Button onClick={onClose} isDisabled={action.isPending}>
            {ui.cancel}
          </Button>
          <Button kind="primary" isSubmit isPending={action.isPending}>
            {t.generate}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
