import { useTexts } from '../../i18n/define-texts.ts';
import { useMember } from '../../shell/member-choice.tsx';
import { SelectionBar, type RowAction } from '../../ui/selection-bar.tsx';
import type { Selection } from '../../ui/use-selection.ts';
import { changeStatus, publishItem, retryItem, type ItemReference } from '../item/item-api.ts';
import { bulkTexts } from './bulk-texts.ts';
import type { ItemRow } from './items-table.tsx';

interface ItemsSelectionProps {
  readonly rows: readonly ItemRow[];
  readonly selection: Selection;
  readonly onDone: () => void;
}

/** Actions on several items; each is accepted or refused by itself, as on its own page. */
export function ItemsSelection({ rows, selection, onDone }: ItemsSelectionProps) {
  const t = useTexts(bulkTexts);
  const member = useMember();
  const rowOf = (id: string) => rows.find(({ serviceItemId }) => serviceItemId === id);
  const nameOf = (id: string): string => rowOf(id)?.externalId ?? id;
  const each =
    (act: (item: ItemReference) => Promise<unknown>): RowAction['act'] =>
    async (id) =>
      act({ externalId: nameOf(id), member: rowOf(id)?.memberExternalId ?? member });
  const actions: readonly RowAction[] = [
    { label: t.publish, act: each(publishItem), confirm: { title: t.publishTitle, body: t.publishBody } },
    {
      label: t.takeDown,
      act: each(async (item) => changeStatus(item, 'not_listed')),
      confirm: { title: t.takeDownTitle, body: t.takeDownBody },
    },
    { label: t.retry, act: each(retryItem), confirm: { title: t.retryTitle, body: t.retryBody } },
  ];
  return <SelectionBar selection={selection} actions={actions} nameOf={nameOf} onDone={onDone} />;
}
