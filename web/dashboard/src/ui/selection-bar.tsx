import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { doEach, type Doing } from '../api/do-each.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { Button } from './button.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { describeProblem } from './describe-problem.ts';
import { Notice } from './notice.tsx';
import { tableTexts } from './table-texts.ts';
import type { Selection } from './use-selection.ts';
import './selection-bar.css';

/** An action on each of the chosen rows. */
export interface RowAction {
  readonly label: string;
  readonly act: (id: string) => Promise<unknown>;
  /** The confirmation; says what will happen to how many rows. */
  readonly confirm: { readonly title: (count: string) => string; readonly body: ComponentChildren };
}

interface SelectionBarProps {
  readonly selection: Selection;
  readonly actions: readonly RowAction[];
  /** The name of a row in the list of refused ones. */
  readonly nameOf: (id: string) => string;
  readonly onDone: () => void;
}

/**
 * Stays visible while rows are chosen: their number and the possible actions. Afterwards: which rows were refused, and
 * why.
 */
export function SelectionBar({ selection, actions, nameOf, onDone }: SelectionBarProps) {
  const t = useTexts(tableTexts);
  const format = useFormat();
  const [doing, setDoing] = useState<Doing>();
  const count = format.number(selection.ids.size);
  const run = async (act: RowAction['act']): Promise<void> => {
    const last = await doEach([...selection.ids], act, setDoing);
    selection.set(last.refused.map(({ id }) => id));
    onDone();
  };
  return (
    <>
      {doing !== undefined && doing.done + doing.refused.length === doing.all && (
        <Outcome
          doing={doing}
          nameOf={nameOf}
          onClose={() => {
            setDoing(undefined);
          }}
        />
      )}
      {selection.ids.size > 0 && (
        <div class="selection-bar" role="region" aria-label={t.forSelected}>
          <strong aria-live="polite">
            {isUnderWay(doing)
              ? t.doing(format.number(doing.done + doing.refused.length), format.number(doing.all))
              : t.selected(count)}
          </strong>
          <span class="row">
            {actions.map(({ label, act, confirm }) => (
              <ConfirmButton
                key={label}
                title={confirm.title(count)}
                body={confirm.body}
                onConfirm={async () => run(act)}
              >
                {label}
              </ConfirmButton>
            ))}
            <Button
              kind="quiet"
              onClick={() => {
                selection.set([]);
              }}
            >
              {t.clearSelection}
            </Button>
          </span>
        </div>
      )}
    </>
  );
}

const isUnderWay = (doing: Doing | undefined): doing is Doing =>
  doing !== undefined && doing.done + doing.refused.length < doing.all;

interface OutcomeProps {
  readonly doing: Doing;
  readonly nameOf: (id: string) => string;
  readonly onClose: () => void;
}

function Outcome({ doing: { done, refused }, nameOf, onClose }: OutcomeProps) {
  const t = useTexts(tableTexts);
  const format = useFormat();
  const isBad = refused.length > 0;
  const title = isBad ? `${t.done(format.number(done))}, ${t.refused(format.number(refused.length))}` : undefined;
  return (
    <Notice
      tone={isBad ? 'bad' : 'ok'}
      title={title ?? t.done(format.number(done))}
      isNews
      actions={<Button onClick={onClose}>{t.close}</Button>}
    >
      {isBad && (
        <ul class="selection-refused">
          {refused.map(({ id, error }) => (
            <li key={id}>
              <span class="code">{nameOf(id)}</span>: {describeProblem(error).message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
