import { useState } from 'preact/hooks';
import { shippingOf, shippingText } from '../../../../../client/files/cell-values.ts';
import type { ListingDefaults } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { termsTexts } from './texts.ts';

/** The terms for auctions of items without terms of their own. */
export function TermsSection() {
  const t = useTexts(termsTexts);
  const terms = useResource(async (signal) => (await api.getListingDefaults({ signal })).data);
  return (
    <Section title={t.title}>
      <Card>
        <Loaded resource={terms}>{(data) => <TermsForm terms={data} />}</Loaded>
      </Card>
    </Section>
  );
}

function TermsForm({ terms }: { readonly terms: ListingDefaults }) {
  const t = useTexts(termsTexts);
  const [draft, setDraft] = useState(draftOfTerms(terms));
  const body = termsOfDraft(draft);
  const [isTried, setTried] = useState(false);
  const save = useAction(async () => api.setListingDefaults({ body: body ?? {} }), { toast: t.saved });
  const number = (name: 'durationDays' | 'times' | 'priceStep', field: string, hint: string) => (
    <TextField
      label={t[name]}
      hint={hint}
      type="number"
      isUnrequired={name !== 'times' || draft.priceStep === ''}
      value={draft[name]}
      problem={problemOf(save.error, field)}
      onInput={(value) => {
        setDraft({ ...draft, [name]: value });
      }}
    />
  );
  return (
    <Form
      onSubmit={() => {
        setTried(true);
        if (body !== undefined) save.run();
      }}
    >
      <p class="muted">{t.lead}</p>
      {number('durationDays', 'durationDays', t.durationHint)}
      {number('times', 'relist.times', t.timesHint)}
      {number('priceStep', 'relist.priceStep', t.stepHint)}
      <SelectField
        label={t.vat}
        hint={t.vatHint}
        value={draft.vatPercent}
        choices={vatRates.map((rate) => ({ value: rate, label: rate === '' ? t.noVat : `${rate} %` }))}
        onChange={(vatPercent) => {
          setDraft({ ...draft, vatPercent });
        }}
      />
      <TextField
        label={t.shipping}
        hint={t.shippingHint}
        isUnrequired
        lengthMax={100}
        value={draft.shipping}
        problem={isTried && body === undefined ? t.shippingForm : problemOf(save.error, 'shippingOptions')}
        onInput={(shipping) => {
          setDraft({ ...draft, shipping });
        }}
      />
      <ErrorNote error={save.error} />
      <div class="row">
        <Button isSubmit isPending={save.isPending}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}

const vatRates = ['', '0', '6', '12', '25'] as const;
type VatRate = (typeof vatRates)[number];

/** The terms as form fields: texts, empty for terms that are not set. */
export interface TermsDraft {
  readonly durationDays: string;
  readonly times: string;
  readonly priceStep: string;
  readonly vatPercent: VatRate;
  /** In the form used in files: `8:0|p6:79`. */
  readonly shipping: string;
}

const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value));

const draftOfTerms = ({ durationDays, relist, vatPercent, shippingOptions }: ListingDefaults): TermsDraft => ({
  durationDays: textOf(durationDays),
  times: textOf(relist?.times),
  priceStep: textOf(relist?.priceStep),
  vatPercent: vatRates.find((rate) => rate === textOf(vatPercent)) ?? '',
  shipping: shippingText(shippingOptions ?? []),
});

/** The terms to store; undefined when the shipping options have another form. An empty field is no term. */
function termsOfDraft({
  durationDays,
  times,
  priceStep,
  vatPercent,
  shipping,
}: TermsDraft): ListingDefaults | undefined {
  const shippingOptions = shipping.trim() === '' ? [] : shippingOf(shipping);
  if (shippingOptions === undefined) return undefined;
  const step = priceStep === '' ? {} : { priceStep: Number(priceStep) };
  return {
    ...(durationDays !== '' && { durationDays: Number(durationDays) }),
    ...(times !== '' && { relist: { times: Number(times), ...step } }),
    ...(vatPercent !== '' && { vatPercent: vatOf[vatPercent] }),
    ...(shippingOptions.length > 0 && { shippingOptions }),
  };
}

const vatOf = { 0: 0, 6: 6, 12: 12, 25: 25 } as const;
