import { useState } from 'preact/hooks';
import type { WriteResponse } from '../../../../../client/generated/types.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useLanguage } from '../../i18n/language.ts';
import { navigate } from '../../routing/location.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { tellFieldProblem } from '../../words/field-problems.ts';
import { itemsPath } from '../items/item-path.ts';
import { changeStatus, deleteItem, publishItem, retryItem, type ItemReference, type ReadItem } from './item-api.ts';
import { possibleActions } from './possible-actions.ts';
import { QuantityButton } from './quantity-button.tsx';
import { itemTexts } from './texts.ts';

interface ItemActionsProps {
  readonly item: ReadItem;
  readonly reference: ItemReference;
  /** Called after a change, so that the item is read again. */
  readonly onChanged: () => void;
}

type Warnings = NonNullable<WriteResponse['warnings']>;

export function ItemActions({ item, reference, onChanged }: ItemActionsProps) {
  const t = useTexts(itemTexts);
  const language = useLanguage();
  const [warnings, setWarnings] = useState<Warnings>([]);
  const onDone = (answer: WriteResponse): void => {
    setWarnings(answer.warnings ?? []);
    onChanged();
  };
  const retry = useAction(async () => retryItem(reference), { onDone, toast: t.retried });
  const publish = useAction(async () => publishItem(reference), { onDone, toast: t.published });
  const { canRetry, canPublish } = possibleActions(item);
  return (
    <div class="stack">
      <div class="row">
        {canRetry && (
          <Button kind="primary" onClick={retry.run} isPending={retry.isPending}>
            {t.retry}
          </Button>
        )}
        {canPublish && (
          <Button kind={canRetry ? 'secondary' : 'primary'} onClick={publish.run} isPending={publish.isPending}>
            {item.marketplaceAdId === null ? t.publish : t.publishAgain}
          </Button>
        )}
        <QuantityButton item={item} reference={reference} onChanged={onChanged} />
        <AskedActions item={item} reference={reference} onChanged={onChanged} />
      </div>
      <ErrorNote error={retry.error ?? publish.error} />
      {warnings.length > 0 && (
        <Notice tone="wait" title={t.warnings} isNews>
          <ul>
            {warnings.map(({ field, ...told }) => (
              <li key={`${field} ${told.message}`}>
                {field !== 'body' && <code>{field}</code>} {tellFieldProblem(told, language)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

/** Actions that take the item off the marketplace need a confirmation. */
function AskedActions({ item, reference, onChanged }: ItemActionsProps) {
  const t = useTexts(itemTexts);
  const { canTakeDown, canPutBack, canMarkSold, canDelete } = possibleActions(item);
  return (
    <>
      <ConfirmButton
        isOffered={canTakeDown}
        title={t.takeDownTitle}
        body={t.takeDownBody}
        onConfirm={async () => changeStatus(reference, 'not_listed')}
        onDone={onChanged}
        toast={t.takenDown}
      >
        {t.takeDown}
      </ConfirmButton>
      <ConfirmButton
        isOffered={canPutBack}
        title={t.putBackTitle}
        body={t.putBackBody}
        onConfirm={async () => changeStatus(reference, 'not_listed')}
        onDone={onChanged}
        toast={t.isPutBack}
      >
        {t.putBack}
      </ConfirmButton>
      <ConfirmButton
        isOffered={canMarkSold}
        title={t.soldTitle}
        body={t.soldBody}
        onConfirm={async () => changeStatus(reference, 'sold')}
        onDone={onChanged}
        toast={t.markedSold}
      >
        {t.sold}
      </ConfirmButton>
      <ConfirmButton
        isOffered={canDelete}
        kind="danger"
        title={t.removeTitle}
        body={t.removeBody}
        onConfirm={async () => deleteItem(reference)}
        onDone={() => {
          navigate(itemsPath(reference.member));
        }}
        toast={t.removed}
      >
        {t.remove}
      </ConfirmButton>
    </>
  );
}
