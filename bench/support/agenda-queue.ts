import { MongoBackend, MongoChangeStreamNotificationChannel } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import { MongoClient } from 'mongodb';
import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { setting } from '../processes/serve-parent.ts';

export const agendaJob = 'deliver';

/**
 * Agenda on MongoDB, told of new jobs by a change stream: of what it offers without another server the fastest. What is tried again it
 * finds by looking, once a second.
 */
export async function openAgenda({ listens }: { listens: boolean }): Promise<Agenda> {
  const client = await MongoClient.connect(setting('MONGODB_URI'), {
    writeConcern: { w: 'majority', journal: true },
  });
  const db = client.db(setting('MONGODB_DATABASE'));
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: db }),
    ...(listens && { notificationChannel: new MongoChangeStreamNotificationChannel({ db, fullDocument: false }) }),
    processEvery: 1_000,
    maxConcurrency: attemptBounds.inFlightMax,
    defaultConcurrency: attemptBounds.inFlightMax,
    removeOnComplete: true,
  });
  await agenda.ready;
  return agenda;
}
