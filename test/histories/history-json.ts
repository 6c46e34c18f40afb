import { createRequire } from 'node:module';
import type { WorkflowHandle } from '@temporalio/client';

// What historyToJSON and historyFromJSON of the SDK do. Theirs refuse to work where npm has put a copy of protobufjs into each of
// the SDK's packages: a type of one copy is no type for another. Here both come from the copy that the types were made with.

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

interface ProtoJson {
  readonly toJson: (type: unknown, message: unknown) => unknown;
  readonly fromJson: (type: unknown, json: unknown, options: { ignoreUnknownFields: boolean }) => History;
}

const inCommon = createRequire(createRequire(import.meta.url).resolve('@temporalio/common'));
const inProto = createRequire(inCommon.resolve('@temporalio/proto'));
const protos = inCommon('@temporalio/proto') as { lookupType(name: string): unknown };
const { toJson, fromJson } = inProto('protobufjs/ext/protojson') as ProtoJson;
const historyType = protos.lookupType('temporal.api.history.v1.History');

/** The form that Temporal's command line and web interface give a history in, too. */
export const historyToJson = (history: History): unknown => toJson(historyType, history);
export const historyFromJson = (json: unknown): History => fromJson(historyType, json, { ignoreUnknownFields: true });
