import { useContext } from 'preact/hooks';
import { Sentence } from '../../history/sentence.tsx';
import { useTexts } from '../../i18n/define-texts.ts';
import { Time } from '../../ui/facts.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { itemPath } from '../items/item-path.ts';
import './audit-table.css';
import { kindTexts } from './kind-texts.ts';
import type { AuditEntry } from './kinds.ts';
import { PeopleContext } from './people.ts';
import { auditLogTexts } from './texts.ts';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  /** Whether it is the view of a reseller's actions for members, which names the member. */
  readonly isActing: boolean;
}

export function AuditTable({ entries, isActing }: AuditTableProps) {
  const t = useTexts(auditLogTexts);
  const columns: readonly Column<AuditEntry>[] = [
    { id: 'what', header: t.kind, isName: true, cell: (entry) => <What entry={entry} /> },
    { id: 'when', header: t.when, cell: ({ at }) => <AuditTime at={at} /> },
    { id: 'who', header: t.who, cell: (entry) => <Who entry={entry} isActing={isActing} /> },
    ...(isActing ? [{ id: 'for', header: t.forWhom, cell: (entry: AuditEntry) => <ForWhom entry={entry} /> }] : []),
    { id: 'about', header: t.about, cell: (entry) => <About entry={entry} isActing={isActing} /> },
    { id: 'details', header: t.details, isUnlabelled: true, cell: (entry) => <EntryDetails entry={entry} /> },
  ];
  return <Table caption={t.title} columns={columns} rows={entries} idOf={({ id }) => id} />;
}

function AuditTime({ at }: { readonly at: string }) {
  return (
    <span class="unbroken">
      <Time at={at} />
    </span>
  );
}

function What({ entry }: { readonly entry: AuditEntry }) {
  const words = useTexts(kindTexts);
  return (
    <span class="audit-what">
      {words[entry.kind]}
      <Sentence class="audit-message" entry={entry} />
    </span>
  );
}

function Who({ entry: { actor }, isActing }: { readonly entry: AuditEntry; readonly isActing: boolean }) {
  const t = useTexts(auditLogTexts);
  const { keyNames, memberNames, resellerName } = useContext(PeopleContext);
  // In the reseller's view the key is the reseller's own.
  if (actor.keyId !== null) {
    const name = keyNames.get(actor.keyId);
    return <span class="audit-words">{name === undefined ? t.revokedKey : t.keyOf(name)}</span>;
  }
  if (isActing) return <span class="audit-words">{t.you}</span>;
  if (actor.kind === 'reseller') return <span class="audit-words">{resellerName ?? t.actors.reseller}</span>;
  if (actor.kind === 'member')
    return <span class="audit-words">{memberNames.get(actor.userId ?? '') ?? t.actors.member}</span>;
  return <span class="audit-words">{t.actors[actor.kind]}</span>;
}

function ForWhom({ entry: { userId } }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditLogTexts);
  const { memberNames } = useContext(PeopleContext);
  return <span class="audit-words">{memberNames.get(userId) ?? t.formerMember}</span>;
}

/** A link to the page of what the entry is about, if there is one. */
function About({ entry, isActing }: { readonly entry: AuditEntry; readonly isActing: boolean }) {
  const t = useTexts(auditLogTexts);
  const { externalId, userId, details } = entry;
  if (externalId !== null)
    return (
      <a class="audit-about" href={itemPath(externalId, isActing ? userId : undefined)}>
        {externalId}
      </a>
    );
  const { webhookId, deliveryId, bulkSyncId } = details;
  if (typeof deliveryId === 'string')
    return (
      <a class="audit-about" href={`/dashboard/deliveries?deliveryId=${encodeURIComponent(deliveryId)}`}>
        {t.delivery}
      </a>
    );
  if (typeof webhookId === 'string' && entry.kind !== 'webhook_deleted')
    return (
      <a class="audit-about" href={`/dashboard/webhooks/${encodeURIComponent(webhookId)}`}>
        {t.webhook}
      </a>
    );
  if (typeof bulkSyncId === 'string')
    return (
      <a class="audit-about" href={`/dashboard/bulk-syncs/${encodeURIComponent(bulkSyncId)}`}>
        {t.bulkSync}
      </a>
    );
  return null;
}

/** Ids and names as the service stores them, for comparison with other logs. */
function EntryDetails({ entry: { details, requestId } }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditLogTexts);
  const named = Object.entries(details).filter(([, value]) => value !== null && value !== '');
  if (named.length === 0 && requestId === null) return null;
  return (
    <details class="audit-details">
      <summary>{t.details}</summary>
      <dl>
        {named.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{textOf(value)}</dd>
          </div>
        ))}
        {requestId !== null && (
          <div>
            <dt>{t.requestId}</dt>
            <dd>
              <code>{requestId}</code>
            </dd>
          </div>
        )}
      </dl>
    </details>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
