import { useState } from 'preact/hooks';
import type { GeneratedApiKey } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useRepeatable } from '../../api/use-repeatable.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { keysTexts } from './texts.ts';

interface GenerateKeyDialogProps {
  readonly onClose: () => void;
  readonly onGenerated: (key: GeneratedApiKey) => void;
}

export function GenerateKeyDialog({ onClose, onGenerated }: GenerateKeyDialogProps) {
  const t = useTexts(keysTexts);
  const ui = useTexts(uiTexts);
  const [name, setName] = useState('');
  const generate = useRepeatable(
    async (body: { name: string }, headers) => (await api.generateApiKey({ body, headers })).data,
  );
  const action = useAction(generate, { onDone: onGenerated });
  return (
    <Dialog title={t.generateTitle} onClose={onClose} isBusy={action.isPending}>
      <Form
        onSubmit={() => {
          action.run({ name: name.trim() });
        }}
      >
        <TextField
          label={t.name}
          hint={t.nameHint}
          value={name}
          onInput={setName}
          lengthMax={100}
          problem={problemOf(action.error, 'name')}
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
