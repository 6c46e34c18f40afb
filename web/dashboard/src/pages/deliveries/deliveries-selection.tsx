import type { WebhookDelivery } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { SelectionBar } from '../../ui/selection-bar.tsx';
import type { Selection } from '../../ui/use-selection.ts';
import { deliveriesTexts } from './texts.ts';

interface DeliveriesSelectionProps {
  readonly rows: readonly WebhookDelivery[];
  readonly selection: Selection;
  readonly onDone: () => void;
}

/** Sends the events of the chosen attempts again. */
export function DeliveriesSelection({ rows, selection, onDone }: DeliveriesSelectionProps) {
  const t = useTexts(deliveriesTexts);
  const once = firstOfEach(rows.filter(({ id }) => selection.ids.has(id)));
  const nameOf = (id: string): string => {
    const row = rows.find((one) => one.id === id);
    return row === undefined ? id : `${row.eventType} ${row.externalId}`;
  };
  const again = {
    label: t.again,
    confirm: { title: t.againTitle, body: t.againBody },
    act: async (id: string) => (once.has(id) ? api.redeliverWebhookDelivery({ path: { id } }) : undefined),
  };
  return <SelectionBar selection={selection} actions={[again]} nameOf={nameOf} onDone={onDone} />;
}

/** One attempt for each event and receiver; a second one would be refused, because the event is already on its way. */
function firstOfEach(rows: readonly WebhookDelivery[]): ReadonlySet<string> {
  const byEvent = new Map(rows.map((row) => [`${row.eventId} ${row.endpointId ?? ''}`, row.id]));
  return new Set(byEvent.values());
}
