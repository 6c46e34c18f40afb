import { readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import type { Connection as StoreConnection } from 'mongoose';

/** Where secrets could have been left: a name for people, and all that stands there. */
export interface Place {
  readonly name: string;
  readonly text: string;
}

/** Bytes as they are; what is ASCII in them stays readable. */
export const filePlace = (name: string, file: string): Place => ({
  name,
  text: readFileSync(file).toString('latin1'),
});

/** Every run of every workflow: its history event by event, with the bytes of all payloads, memo and search attributes. */
export async function workflowPlaces(client: Client): Promise<Place[]> {
  const places: Place[] = [];
  for await (const { workflowId, runId, raw } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const [history, { raw: described }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
    const text = [history, raw, described].map(textIn).join('\n');
    places.push({ name: `workflow ${workflowId}`, text });
  }
  return places;
}

/** Every document of every collection, as BSON, and every write that ever made them (the replica set's log). */
export async function databasePlaces(connection: StoreConnection): Promise<Place[]> {
  const { db } = connection;
  if (db === undefined) throw new Error('there is no connection');
  const local = connection.getClient().db('local');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const own = names.map(async (name) => ({
    name: `collection ${name}`,
    text: await textOf(db.collection(name).find({}, { raw: true })),
  }));
  const log = {
    name: "the replica set's log",
    text: await textOf(local.collection('oplog.rs').find({}, { raw: true })),
  };
  return [...(await Promise.all(own)), log];
}

/** With `raw` the driver gives the bytes of each document. */
async function textOf(documents: AsyncIterable<unknown>): Promise<string> {
  const texts: string[] = [];
  for await (const document of documents) texts.push(Buffer.from(document as Uint8Array).toString('latin1'));
  return texts.join('\n');
}

/** Every text and every run of bytes in a message, however deep; names of fields too. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, member]) => `${name}\n${textIn(member)}`)
    .join('\n');
}
