import type { Recovery } from '../../core/webhooks/recovery.ts';

export interface RecoveryView {
  readonly id: string;
  readonly endpointId?: string;
  readonly kind: 'manual' | 'auto';
  readonly state: 'running' | 'finished' | 'stopped';
  readonly stoppedBecause: string | null;
  readonly since: string;
  readonly until: string;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const describeRecovery = (recovery: Recovery): RecoveryView => ({
  id: recovery.id,
  ...(recovery.endpointId !== null && { endpointId: recovery.endpointId }),
  kind: recovery.kind,
  state: recovery.state,
  stoppedBecause: recovery.stoppedBecause,
  since: recovery.since.toISOString(),
  until: recovery.until.toISOString(),
  // What was still on its way when it began may have been missed a moment later.
  total: Math.max(recovery.total, recovery.sent + recovery.failed),
  sent: recovery.sent,
  failed: recovery.failed,
  createdAt: recovery.createdAt.toISOString(),
  updatedAt: recovery.updatedAt.toISOString(),
});
