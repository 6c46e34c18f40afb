import type { RecoveryId } from '../../core/ids.ts';

/** Workflow type of one run that sends again what a target missed. */
export const recoverEndpointType = 'recoverEndpoint';
export const recoveryWorkflowId = (id: RecoveryId): string => `recovery:${id}`;

export interface RecoverEndpointInput {
  readonly recoveryId: RecoveryId;
}
