/** Workflow type that shows a webhook target in trouble; one running instance for each. It makes no attempt. */
export const receiverTroubleType = 'receiverTrouble';
export const receiverWorkflowId = (target: string): string => `receiver:${target}`;

export interface ReceiverTroubleInput {
  /** Key of the target, as in deliveries. */
  readonly target: string;
}
