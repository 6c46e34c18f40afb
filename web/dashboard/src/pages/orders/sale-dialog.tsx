import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction, useRepeatable, type Action } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { problemOf } from '../../ui/describe-problem.ts';
import { Dialog, FormButtons } from '../../ui/confirm-button.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { readAmount } from './order-fields.ts';
import { ordersTexts } from './texts.ts';

interface SaleDialogProps {
  /** The value at the start. */
  readonly externalId: string;
  readonly onClose: () => void;
  readonly onSold: () => void;
}

const directPlatforms = ['service', 'service_card', 'service_mobile'] as const;
type DirectPlatform = (typeof directPlatforms)[number];

export function SaleDialog({ externalId, onClose, onSold }: SaleDialogProps) {
  const t = useTexts(ordersTexts);
  const [item, setItem] = useState(externalId);
  const [platform, setPlatform] = useState<DirectPlatform>('service');
  const [amountText, setAmountText] = useState('');
  const [isPaid, setPaid] = useState(true);
  const [isAmountWrong, setAmountWrong] = useState(false);
  const action = useRecordSale(() => {
    onClose();
    onSold();
  });
  const submit = (): void => {
    const amount = readAmount(amountText);
    setAmountWrong(amount === undefined);
    if (amount !== undefined) action.run({ externalId: item, platform, amount, status: isPaid ? 'paid' : 'pending' });
  };
  const isUnknown = action.error instanceof ItembridgeError && action.error.status === 404;
  return (
    <Dialog title={t.saleTitle} onClose={onClose} isBusy={action.isPending}>
      <p class="muted">{t.saleText}</p>
      <Form onSubmit={submit}>
        <TextField
          label={t.saleItem}
          hint={t.saleItemHint}
          value={item}
          onInput={setItem}
          lengthMax={255}
          problem={isUnknown ? t.noSuchItem : problemOf(action.error, 'externalId')}
        />
        <SelectField
          label={t.salePlatform}
          value={platform}
          choices={directPlatforms.map((value) => ({ value, label: t.platforms[value] }))}
          onChange={setPlatform}
        />
        <TextField
          label={t.saleAmount}
          hint={t.saleAmountHint}
          value={amountText}
          onInput={setAmountText}
          problem={isAmountWrong ? t.badAmount : problemOf(action.error, 'amount')}
        />
        <CheckField label={t.salePaid} hint={t.salePaidHint} isChecked={isPaid} onChange={setPaid} />
        <ErrorNote error={isUnknown ? undefined : action.error} />
        <FormButtons onClose={onClose} isPending={action.isPending}>
          {t.recordSale}
        </FormButtons>
      </Form>
    </Dialog>
  );
}

interface Sale {
  readonly externalId: string;
  readonly platform: DirectPlatform;
  readonly amount: number;
  readonly status: 'paid' | 'pending';
}

/** A sale that is sent again after a lost answer is recorded once. */
function useRecordSale(onDone: () => void): Action<[Sale]> {
  const t = useTexts(ordersTexts);
  const record = useRepeatable(async (body: Sale, headers) => api.createOrder({ body, headers }));
  return useAction(record, { toast: t.saved, onDone });
}
