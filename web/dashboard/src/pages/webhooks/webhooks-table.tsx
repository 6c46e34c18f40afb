import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { EndpointBadge } from '../../webhooks/endpoint-badge.tsx';
import { endpointState } from '../../webhooks/endpoint-state.ts';
import { eventTexts } from '../../webhooks/event-texts.ts';
import { knownEventTypes } from '../../webhooks/event-types.ts';
import { endpointName, hostOf } from '../../webhooks/use-endpoints.ts';
import { webhooksTexts } from './texts.ts';

export function WebhooksTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const t = useTexts(webhooksTexts);
  const words = useTexts(eventTexts);
  const format = useFormat();
  const columns: readonly Column<Webhook>[] = [
    {
      id: 'name',
      header: t.name,
      isName: true,
      cell: (webhook) => <a href={`/dashboard/webhooks/${webhook.id}`}>{endpointName(webhook)}</a>,
    },
    { id: 'state', header: t.state, cell: (webhook) => <EndpointBadge state={endpointState(webhook)} /> },
    { id: 'address', header: t.address, cell: ({ url }) => <span title={url}>{hostOf(url)}</span> },
    {
      id: 'events',
      header: t.events,
      cell: ({ eventTypes }) =>
        eventTypes.length === 0
          ? t.all
          : knownEventTypes(eventTypes)
              .map((type) => words[type])
              .join(', '),
    },
    { id: 'scope', header: t.scope, cell: ({ scope }) => (scope === 'members' ? t.members : t.self) },
    { id: 'failures', header: t.failures, isNumber: true, cell: ({ failCount }) => format.number(failCount) },
  ];
  return <Table caption={t.endpoints} columns={columns} rows={webhooks} idOf={({ id }) => id} />;
}
