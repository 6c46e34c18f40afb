import type { RecoveryId } from '../../core/ids.ts';

/** Workflow type of one run that sends the missed events of a target again. */
export const recoverEndpointType = 'recoverEndpoint';
export const recoveryWorkflowId = (id: RecoveryId): string => `recovery:${id}`;

export interface RecoverEndpointInput {
  readonly recoveryId: RecoveryId;
}
