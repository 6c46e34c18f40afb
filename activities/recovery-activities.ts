import type { RecoveryId } from '../core/ids.ts';
import { sendMissed, type RecoveryDependencies, type RecoveryStep } from '../usecases/recoveries/send-missed.ts';

export interface RecoveryActivities {
  /** On the fair queue: sends missed events for some seconds. */
  sendMissed(recoveryId: RecoveryId): Promise<RecoveryStep>;
}

export const createRecoveryActivities = (dependencies: RecoveryDependencies): RecoveryActivities => ({
  sendMissed: (recoveryId) => sendMissed(dependencies, recoveryId),
});
