import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction, useRepeatable, type Action } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { problemOf } from '../../ui/describe-problem.ts';
import { Dialog, FormButtons } from '../../ui/confirm-button.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
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
  const farAbove = useAskedSale(action.error, `${item} ${amountText}`);
  const submit = (): void => {
    const amount = readAmount(amountText);
    setAmountWrong(amount === undefined);
    if (amount === undefined) return;
    farAbove.remember();
    const status = isPaid ? 'paid' : 'pending';
    action.run({ externalId: item, platform, amount, status, isAmountConfirmed: farAbove.isAsked });
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
        {farAbove.isAsked && <FarAbove />}
        <ErrorNote error={isUnknown || farAbove.isRefused ? undefined : action.error} />
        <FormButtons onClose={onClose} isPending={action.isPending}>
          {farAbove.isAsked ? t.recordAnyway : t.recordSale}
        </FormButtons>
      </Form>
    </Dialog>
  );
}

/** Whether the amount was refused as far above the price, and it and the item are still the same: another is asked about again. */
function useAskedSale(error: unknown, sale: string) {
  const [asked, setAsked] = useState<string>();
  const isRefused = problemOf(error, 'isAmountConfirmed') !== undefined;
  const remember = (): void => {
    setAsked(sale);
  };
  return { isRefused, isAsked: isRefused && asked === sale, remember };
}

function FarAbove() {
  const t = useTexts(ordersTexts);
  return (
    <Notice tone="wait" title={t.farAbove} isNews>
      <p>{t.farAboveText}</p>
    </Notice>
  );
}

interface Sale {
  readonly externalId: string;
  readonly platform: DirectPlatform;
  readonly amount: number;
  readonly status: 'paid' | 'pending';
  readonly isAmountConfirmed: boolean;
}

/** A sale that is sent again after a lost answer is recorded once. */
function useRecordSale(onDone: () => void): Action<[Sale]> {
  const t = useTexts(ordersTexts);
  const record = useRepeatable(async (body: Sale, headers) => api.createOrder({ body, headers }));
  return useAction(record, { toast: t.saved, onDone });
}
