import { useTexts } from '../../i18n/define-texts.ts';
import type { AuditEntry } from './kinds.ts';
import { auditLogTexts } from './texts.ts';

/** Ids and names as the service keeps them, for who compares them with logs of their own. */
export function EntryDetails({ entry: { details, requestId } }: { readonly entry: AuditEntry }) {
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
