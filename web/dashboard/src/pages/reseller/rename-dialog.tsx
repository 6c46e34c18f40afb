import { useState } from 'preact/hooks';
import type { MemberConnection } from '../../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { resellerTexts } from './texts.ts';

interface RenameDialogProps {
  readonly member: MemberConnection;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

/** The reseller's own name for a member. */
export function RenameDialog({ member, onClose, onRenamed }: RenameDialogProps) {
  const t = useTexts(resellerTexts);
  const { memberUserId, memberName } = member;
  const [externalId, setExternalId] = useState(member.externalId);
  const action = useAction(async () => api.renameMember({ path: { memberUserId }, body: { externalId } }), {
    toast: t.renamed,
    onDone: () => {
      onClose();
      onRenamed();
    },
  });
  const isTaken = action.error instanceof ItembridgeError && action.error.code === 'REFERENCE_TAKEN';
  return (
    <Dialog title={t.renameOf(memberName)} onClose={onClose} isBusy={action.isPending}>
      <p class="muted">{t.renameText}</p>
      <Form onSubmit={action.run}>
        <TextField
          label={t.newReference}
          value={externalId}
          onInput={setExternalId}
          lengthMax={255}
          problem={isTaken ? t.taken : problemOf(action.error, 'externalId')}
        />
        <ErrorNote error={isTaken ? undefined : action.error} />
        <div class="row">
          <Button kind="primary" isSubmit isPending={action.isPending}>
            {t.rename}
          </Button>
          <Button onClick={onClose} isDisabled={action.isPending}>
            {t.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
