// A webhook sender on Agenda: as many attempts at once as the product has.
import { waitAfterFailedAttemptMs } from '../../core/webhooks/retry-schedule.ts';
import { agendaJob, openAgenda } from '../support/agenda-queue.ts';
import { openAttempts, type QueuedDelivery } from '../support/queued-delivery.ts';
import { serveParent } from './serve-parent.ts';

const attempt = await openAttempts();
const agenda = await openAgenda({ listens: true });
// eslint-disable-next-line @typescript-eslint/no-misused-promises -- of its two overloads the second takes a promise
agenda.define<QueuedDelivery>(agendaJob, ({ attrs: { data, failCount } }) => attempt(data, (failCount ?? 0) + 1), {
  backoff: ({ attempt: failed }) => waitAfterFailedAttemptMs(failed),
});
// What was tried for the last time is in the log already.
agenda.on('error', () => undefined);
await agenda.start();
serveParent({}, {});
