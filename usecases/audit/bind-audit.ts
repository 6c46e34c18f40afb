import type { Binder } from '../bind.ts';
import { readAuditLog } from './read-audit-log.ts';

export const bindAudit = ({ bind }: Binder) => ({ read: bind(readAuditLog) });
