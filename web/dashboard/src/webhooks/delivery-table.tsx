import type { Webhook, WebhookDelivery } from '../../../../client/generated/types.gen.ts';
import { stateWords } from '../../../../features/rules/state-words.ts';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { useLanguage } from '../i18n/language.ts';
import { itemPath } from '../pages/items/item-path.ts';
import { allMembersTexts } from '../shell/all-members.tsx';
import { Time } from '../ui/facts.tsx';
import { Badge } from '../ui/icon.tsx';
import { Table, type Column } from '../ui/table.tsx';
import type { Selection } from '../ui/use-selection.ts';
import type { Sorting } from '../ui/use-sorting.ts';
import { tellBeyondStatus } from '../words/delivery-failures.ts';
import './delivery-table.css';
import { endpointName } from './endpoints.tsx';
import { useEventWords } from './event-name.tsx';

/** Of a list of all members it says whose it is. */
export type DeliveryRow = WebhookDelivery & { readonly memberExternalId?: string };

interface DeliveryTableProps {
  readonly deliveries: readonly DeliveryRow[];
  /** For the receivers' names; undefined while they are being loaded. */
  readonly endpoints: readonly Webhook[] | undefined;
  /** All deliveries have the same receiver, which the page names. */
  readonly isOfOneEndpoint?: boolean;
  readonly selection?: Selection;
  readonly sorting?: Sorting | undefined;
}

export function DeliveryTable({
  deliveries,
  endpoints,
  isOfOneEndpoint = false,
  selection,
  sorting,
}: DeliveryTableProps) {
  const t = useTexts(deliveryTexts);
  const format = useFormat();
  const words = useTexts(allMembersTexts);
  const isOfAllMembers = deliveries.some(({ memberExternalId }) => memberExternalId !== undefined);
  const memberColumn: Column<DeliveryRow> = {
    id: 'member',
    header: words.member,
    cell: ({ memberExternalId }) => <span class="code">{memberExternalId}</span>,
  };
  const columns: readonly Column<DeliveryRow>[] = [
    { id: 'event', header: t.event, isName: true, cell: (delivery) => <EventLink delivery={delivery} /> },
    {
      id: 'created',
      header: t.when,
      sort: 'service',
      cell: ({ createdAt }) => (
        <span class="unbroken">
          <Time at={createdAt} hasSeconds />
        </span>
      ),
    },
    { id: 'item', header: t.item, cell: (delivery) => <ItemOf delivery={delivery} endpoints={endpoints} /> },
    ...(isOfAllMembers ? [memberColumn] : []),
    ...(isOfOneEndpoint ? [] : [receiverColumn(t.endpoint, endpoints)]),
    { id: 'attempt', header: t.attempt, isNumber: true, cell: ({ attempt }) => format.number(attempt) },
    { id: 'took', header: t.took, isNumber: true, cell: ({ durationMs }) => t.tookMs(format.number(durationMs)) },
    { id: 'result', header: t.result, cell: (delivery) => <ResultOf delivery={delivery} /> },
  ];
  return (
    <Table
      caption={t.attempts}
      columns={columns}
      rows={deliveries}
      idOf={({ id }) => id}
      nameOf={({ eventType, externalId, createdAt }) => `${eventType} ${externalId}, ${format.second(createdAt)}`}
      selection={selection}
      sorting={sorting}
    />
  );
}

/** A link to the attempt. Its time distinguishes it from others of the same event for screen readers. */
function EventLink({ delivery: { id, eventType, createdAt } }: { readonly delivery: WebhookDelivery }) {
  const format = useFormat();
  const words = useEventWords();
  return (
    <span class="delivery-event">
      <a href={`/dashboard/deliveries/${encodeURIComponent(id)}`}>
        {words(eventType)}
        <span class="unseen"> {format.second(createdAt)}</span>
      </a>
      <code class="muted small">{eventType}</code>
    </span>
  );
}

const receiverColumn = (header: string, endpoints: readonly Webhook[] | undefined): Column<DeliveryRow> => ({
  id: 'endpoint',
  header,
  cell: ({ endpointId }) => <ReceiverOf endpointId={endpointId} endpoints={endpoints} />,
});

interface ReceiverOfProps {
  /** Absent for the account-level URL. */
  readonly endpointId: string | undefined;
  readonly endpoints: readonly Webhook[] | undefined;
}

/** A link to the settings of the receiver. */
export function ReceiverOf({ endpointId, endpoints }: ReceiverOfProps) {
  const t = useTexts(deliveryTexts);
  if (endpointId === undefined) return <a href="/dashboard/webhooks/account">{t.accountUrl}</a>;
  const endpoint = endpoints?.find(({ id }) => id === endpointId);
  if (endpoint !== undefined) return <a href={`/dashboard/webhooks/${endpointId}`}>{endpointName(endpoint)}</a>;
  return <span class="muted">{endpoints === undefined ? '…' : t.removedEndpoint}</span>;
}

interface ItemOfProps {
  readonly delivery: DeliveryRow;
  readonly endpoints: readonly Webhook[] | undefined;
}

/** For members' events the log does not name the item's owner, so the item is linked only where the body is read. */
function ItemOf({ delivery: { externalId, endpointId, memberExternalId }, endpoints }: ItemOfProps) {
  if (memberExternalId !== undefined)
    return (
      <a class="delivery-item" href={itemPath(externalId, memberExternalId)}>
        {externalId}
      </a>
    );
  const isOwn = endpointId === undefined || endpoints?.find(({ id }) => id === endpointId)?.scope === 'self';
  if (!isOwn || externalId === sampleExternalId) return <span class="delivery-item">{externalId}</span>;
  return (
    <a class="delivery-item" href={itemPath(externalId, undefined)}>
      {externalId}
    </a>
  );
}

function ResultOf({ delivery: { status, httpStatus, errorMessage } }: { readonly delivery: WebhookDelivery }) {
  const t = useTexts(deliveryTexts);
  const more = tellBeyondStatus(errorMessage, useLanguage());
  return (
    <span>
      <span class="unbroken">
        {status === 'success' ? <Badge tone="ok">{t.success}</Badge> : <Badge tone="bad">{t.failed}</Badge>}
        {httpStatus !== null && <span class="small numbers"> {t.status(String(httpStatus))}</span>}
      </span>
      {more !== null && <span class="small muted"> {more}</span>}
    </span>
  );
}

export const deliveryTexts = defineTexts({
  sv: {
    attempts: 'Leveransförsök',
    when: 'Tid',
    event: 'Händelse',
    item: 'Artikel',
    endpoint: 'Mottagare',
    accountUrl: 'Kontots webhook-adress',
    removedEndpoint: 'Borttagen webhook',
    attempt: 'Försök',
    took: 'Svarstid',
    result: 'Resultat',
    ...stateWords.sv.delivery,
    error: 'Fel',
    tookMs: (ms: string) => `${ms} ms`,
    underWay: 'Skickas …',
    retried: (attempt: string) => `Försök ${attempt} misslyckades. Ett nytt görs automatiskt.`,
    gotThrough: 'Mottagaren tog emot den',
    didNot: 'Mottagaren tog inte emot den',
    status: (status: string) => `HTTP ${status}`,
    details: 'Visa vad som skickades och svaret',
  },
  en: {
    attempts: 'Delivery attempts',
    when: 'Time',
    event: 'Event',
    item: 'Item',
    endpoint: 'Receiver',
    accountUrl: 'Account webhook URL',
    removedEndpoint: 'Removed webhook',
    attempt: 'Attempt',
    took: 'Time taken',
    result: 'Result',
    ...stateWords.en.delivery,
    error: 'Error',
    tookMs: (ms: string) => `${ms} ms`,
    underWay: 'Sending…',
    retried: (attempt: string) => `Attempt ${attempt} failed. We’ll retry automatically.`,
    gotThrough: 'The receiver accepted it',
    didNot: 'The receiver did not accept it',
    status: (status: string) => `HTTP ${status}`,
    details: 'Show request and response',
  },
});

/** The item in test events; it does not exist. */
const sampleExternalId = 'itembridge-test';
