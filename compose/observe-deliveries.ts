import type { WebhookSender } from '../gateways/webhook-sender/port.ts';
import { inSpan, type Tracing } from '../platform/tracing.ts';
import type { DeliveryObserver } from '../usecases/deliveries/bind-deliveries.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Counts attempts and what they come to. */
export const observeDeliveries = (metrics: ServiceMetrics): DeliveryObserver => ({
  attempted: ({ attempt, state, delivery }) => {
    const seconds = attempt.durationMs / 1_000;
    metrics.attempts.add({ outcome: attempt.status, attempt: String(attempt.attempt) });
    metrics.attemptSeconds.observe({ outcome: attempt.status }, seconds);
    if (state === 'pending') return;
    metrics.deliveriesEnded.add({ state });
    const delaySeconds = (attempt.createdAt.getTime() - delivery.createdAt.getTime()) / 1_000;
    if (state === 'succeeded') metrics.deliverySeconds.observe({}, Math.max(0, delaySeconds));
  },
  endpointChanged: (change) => metrics.endpointChanges.add({ change }),
});

/** Each attempt as a span. Nothing of the trace is sent along: it is nobody else's business. */
export const tracedSender = (sender: WebhookSender, tracing: Tracing | undefined): WebhookSender =>
  tracing === undefined
    ? sender
    : { send: (attempt) => inSpan(tracing, { name: 'webhook POST', kind: 'client' }, () => sender.send(attempt)) };
