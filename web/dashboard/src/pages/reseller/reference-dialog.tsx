import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Dialog, FormButtons } from '../../ui/confirm-button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { resellerTexts } from './texts.ts';

interface ReferenceDialogProps {
  readonly memberUserId: string;
  /** The reference that is filled in. */
  readonly externalId: string;
  readonly words: {
    readonly title: string;
    readonly text: string;
    readonly field: string;
    readonly button: string;
    readonly done: string;
  };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Sets the reseller's reference for a member, or approves an account that asks to become one under it. */
export function ReferenceDialog({ memberUserId, words, onClose, onDone, ...props }: ReferenceDialogProps) {
  const t = useTexts(resellerTexts);
  const [externalId, setExternalId] = useState(props.externalId);
  const action = useAction(async () => api.renameMember({ path: { memberUserId }, body: { externalId } }), {
    toast: words.done,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  const isTaken = action.error instanceof ItembridgeError && action.error.code === 'REFERENCE_TAKEN';
  return (
    <Dialog title={words.title} onClose={onClose} isBusy={action.isPending}>
      <p class="muted">{words.text}</p>
      <Form onSubmit={action.run}>
        <TextField
          label={words.field}
          value={externalId}
          onInput={setExternalId}
          lengthMax={255}
          problem={isTaken ? t.taken : problemOf(action.error, 'externalId')}
        />
        <ErrorNote error={isTaken ? undefined : action.error} />
        <FormButtons onClose={onClose} isPending={action.isPending}>
          {words.button}
        </FormButtons>
      </Form>
    </Dialog>
  );
}
