import { afterDelivered } from '../../core/webhooks/endpoint-life.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import {
  completeFirstSuccesses,
  reserveFirstAttempts,
  type Completion,
  type FirstSuccess,
} from '../../store/deliveries/deliveries.ts';
import { findFailingAmong } from '../../store/webhooks/webhook-endpoints.ts';
import type { BoundDeliveries } from './bind-deliveries.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import type { FirstAttemptDependencies } from './first-attempts.ts';

/** What the lane of a process needs, on the real store; it shares what is known of receivers with all other attempts. */
export const firstAttemptDependencies = (
  store: StoreConnection,
  dependencies: BoundDeliveries,
  rest: Pick<FirstAttemptDependencies, 'handOver' | 'logger'>,
): FirstAttemptDependencies => ({
  ...dependencies,
  reserveMany: (ids, reservation) => reserveFirstAttempts(store, ids, reservation),
  completeMany: (made, now) =>
    completeFirstSuccesses(store, made, { now, alsoWrite: noteDelivered(store, dependencies, { made, now }) }),
  ...rest,
});

/** Endpoints that had failed answer again; most have not, and are only looked at. */
function noteDelivered(
  store: StoreConnection,
  { changeEndpoint }: DeliveryDependencies,
  { made, now }: { made: readonly FirstSuccess[]; now: Date },
): Completion['alsoWrite'] {
  const lastOf = new Map(
    made.flatMap(({ delivery }) => (delivery.endpointId === null ? [] : [[delivery.endpointId, delivery] as const])),
  );
  return async (session) => {
    for (const endpoint of await findFailingAmong(store, [...lastOf.keys()], session)) {
      const delivery = lastOf.get(endpoint);
      if (delivery !== undefined) await changeEndpoint(delivery, (life) => afterDelivered(life, now))(session);
    }
  };
}
