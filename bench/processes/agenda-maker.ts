// Stores events in MongoDB, then a job for each, which Agenda has no way to store many at once.
import pLimit from 'p-limit';
import { agendaJob, openAgenda } from '../support/agenda-queue.ts';
import { openEventStore } from '../support/queued-delivery.ts';
import { serveMaker } from '../support/serve-maker.ts';

const agenda = await openAgenda({ listens: false });
const store = await openEventStore();
/** As many as the product's starts of workflows. */
const limit = pLimit(16);

serveMaker(async (account, count, begin) => {
  const deliveries = await store(account, count, begin);
  await Promise.all(deliveries.map((delivery) => limit(() => agenda.now(agendaJob, delivery))));
});
