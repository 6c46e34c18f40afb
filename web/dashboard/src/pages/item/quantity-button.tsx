import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/confirm-button.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { changeQuantity, type ItemReference, type ReadItem } from './item-api.ts';
import { possibleActions } from './possible-actions.ts';
import { itemTexts } from './texts.ts';

interface QuantityButtonProps {
  readonly item: ReadItem;
  readonly reference: ItemReference;
  readonly onChanged: () => void;
}

/** Tells how many pieces are left, with the version that the person saw, so that a sale meanwhile is not undone. */
export function QuantityButton(props: QuantityButtonProps) {
  const t = useTexts(itemTexts);
  const { canCount } = possibleActions(props.item);
  // The item as it was when the dialog opened.
  const [seen, setSeen] = useState<ReadItem>();
  return (
    <>
      {canCount && <Button onClick={() => setSeen(props.item)}>{t.changeQuantity}</Button>}
      {seen !== undefined && <QuantityDialog {...props} item={seen} onClose={() => setSeen(undefined)} />}
    </>
  );
}

function QuantityDialog({
  item,
  reference,
  onChanged,
  onClose,
}: QuantityButtonProps & { readonly onClose: () => void }) {
  const t = useTexts(itemTexts);
  const [text, setText] = useState(String(item.quantity ?? 1));
  const quantity = /^\d{1,5}$/.test(text) && Number(text) <= 10_000 ? Number(text) : undefined;
  const change = useAction(async (left: number) => changeQuantity(reference, { quantity: left, etag: item.etag }), {
    toast: t.quantityChanged,
    onDone: () => {
      onClose();
      onChanged();
    },
  });
  const send = (): void => {
    if (quantity !== undefined) change.run(quantity);
  };
  const isOvertaken = change.error instanceof ItembridgeError && change.error.status === 412;
  const close = (): void => {
    onClose();
    if (isOvertaken) onChanged();
  };
  return (
    <Dialog
      title={t.quantityTitle}
      onClose={close}
      isBusy={change.isPending}
      actions={<QuantityButtons onClose={close} onSend={send} isPending={change.isPending} isOvertaken={isOvertaken} />}
    >
      <p>{t.quantityBody}</p>
      <Form onSubmit={send}>
        <TextField
          label={t.quantity}
          type="number"
          name="quantity"
          value={text}
          onInput={setText}
          problem={quantity === undefined ? t.quantityProblem : undefined}
        />
      </Form>
      {isOvertaken ? <Notice tone="bad" title={t.quantityOvertaken} isNews /> : <ErrorNote error={change.error} />}
    </Dialog>
  );
}

interface QuantityButtonsProps {
  readonly onClose: () => void;
  readonly onSend: () => void;
  readonly isPending: boolean;
  readonly isOvertaken: boolean;
}

function QuantityButtons({ onClose, onSend, isPending, isOvertaken }: QuantityButtonsProps) {
  const [t, ui] = [useTexts(itemTexts), useTexts(uiTexts)];
  return (
    <>
      <Button onClick={onClose} isDisabled={isPending}>
        {ui.cancel}
      </Button>
      {!isOvertaken && (
        <Button kind="primary" isPending={isPending} onClick={onSend}>
          {t.changeQuantity}
        </Button>
      )}
    </>
  );
}
