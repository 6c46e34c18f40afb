// The floor for deliveries: one process that writes the same rows and sends in between. Event and delivery are one transaction; log and
// outcome need none. It knows its receiver, and has no counter, no slots, no fairness and no retries.
import { serveMaker } from './serve-maker.ts';
import { createEvents, createSender, openRows, outcomeOf, readRows } from './stored-rows.ts';

const rows = readRows();
const { newEvents } = createEvents(rows);
const [outcome, send] = [outcomeOf(rows), createSender(32)];
const { client, events, deliveries, attempts } = await openRows(rows);

serveMaker(async (_account, count, begin) => {
  const made = newEvents(count);
  for (const { eventId } of made) begin(eventId);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await events.insertMany(
        made.map(({ event }) => event),
        { session },
      );
      await deliveries.insertMany(
        made.map(({ delivery }) => delivery),
        { session },
      );
    }),
  );
  await Promise.all(made.map(({ eventId, body }) => send(eventId, body)));
  await attempts.insertMany(made.map(({ attempt }) => attempt));
  await deliveries.updateMany({ _id: { $in: made.map(({ delivery }) => delivery._id) } }, { $set: outcome });
});
