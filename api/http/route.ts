import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import type { KeyScope } from '../../features/accounts/rules/api-key.ts';
import type { RefusalCode } from '../../features/rules/errors.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { Context } from '../../features/context.ts';
import { StreamedBody, type Pay } from './streamed-body.ts';

/** A request in the form for handlers: without Express, and only the credential and the JSON syntax are checked. */
export interface Call {
  readonly context: Context;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Parameters of the query, unchecked; repeated ones were refused. A route checks them with readQuery. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** undefined when the route takes no body. */
  readonly body: unknown;
  /**
   * Dotted paths of names that are repeated in their JSON object, where the last one counts. '' when a long body has
   * some.
   */
  readonly repeated: readonly string[];
  /** `X-Request-Id` of its answer. */
  readonly requestId: string;
  /** Address of the socket, or the one a trusted proxy reports. */
  readonly address: string;
  /** Whether this process can do its work now. Never throws. */
  readonly isReady: () => Promise<boolean>;
}

export interface ScopedCall extends Call {
  readonly scope: Scope;
  /** Counts the call as `points` in all against its caller's limit, once its body is known. Throws Refusal RATE_LIMITED. */
  readonly charge: (points: number) => Promise<void>;
  /** For an answer in pieces: takes further points, and waits until they are available. */
  readonly pay: Pay;
  /** Called when the answer has been sent, or its caller has gone. */
  readonly whenClosed: (release: () => void) => void;
}

/**
 * The answer of a handler. `body` is sent as JSON, `content` unchanged, and a `stream` piece by piece. Of a `file`,
 * conditions and range of the request decide what is sent. Without any of these the answer is empty.
 */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly content?: { readonly type: string; readonly bytes: Buffer };
  readonly stream?: AnswerStream;
  readonly file?: ServedFile;
  readonly headers?: Readonly<Record<string, string>>;
  /** One `Set-Cookie` each. They are secrets, so only the caller itself gets them: no stored answer has any. */
  readonly cookies?: readonly string[];
}

/** 200 with what this gives. */
export const ok = async (body: unknown): Promise<Answer> => ({ status: 200, body: await body });

/** 204 once this is done. */
export async function noContent(work: Promise<unknown>): Promise<Answer> {
  await work;
  return { status: 204 };
}

export interface AnswerStream {
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

/** A stored file. `open` gives all its bytes, or a range with both ends; one that is not read to its end must be destroyed. */
export interface ServedFile {
  readonly type: string;
  readonly stat: () => Promise<FileFacts>;
  readonly open: (range?: { readonly start: number; readonly end: number }) => Promise<OpenFile>;
}

export interface FileFacts {
  readonly bytes: number;
  /** Becomes the ETag, in quotes. Changes with the bytes. */
  readonly tag: string;
  readonly storedAt: Date;
}

export interface OpenFile extends FileFacts {
  readonly content: Readable;
}

export interface DescribedAnswer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Media type of an answer that is not JSON. A `schema` beside it is that of one event's data. */
  readonly contentType?: string;
  /** Headers beyond `X-Request-Id` that this answer always has: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteDescription {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** In the form of the OpenAPI document: `/integration/v1/items/{external_id}`. */
  readonly path: string;
  /**
   * `operationId` in the document. Generated clients use it as the name of the call, so a change breaks their users.
   */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  /** Facts beyond summary and schemas: refusals and side effects. CommonMark. */
  readonly description: string;
  readonly params?: Readonly<Record<string, Parameter>>;
  /** Parameters of the query, optional unless marked as required. */
  readonly query?: Readonly<Record<string, Parameter>>;
  /** Headers that the route reads beyond credential and `X-Partner-Account`, all optional. */
  readonly headers?: Readonly<Record<string, Parameter>>;
  /** Cookies that the route reads, all optional. */
  readonly cookies?: Readonly<Record<string, Parameter>>;
  readonly request?: RequestBody;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Codes beyond those that every route of its kind may answer. */
  readonly refusals?: readonly RefusalCode[];
}

export interface Parameter {
  /** Name of a component in the document, for a parameter of several operations. */
  readonly component?: string;
  readonly description: string;
  /** Only for query parameters: a call without it is refused. */
  readonly required?: true;
  /** The first of its `examples` becomes that of the parameter. */
  readonly schema: TSchema;
}

export interface RequestBody {
  readonly schema: TSchema;
  /** An absent body then counts as `{}`. */
  readonly isOptional?: boolean;
  /** Default 1 MB, without a credential 4 KB. */
  readonly bytesMax?: number;
  /** The handler gets the unparsed body as a Buffer, for a signature over its bytes. */
  readonly asBytes?: true;
  /** Media type of a body of any size: the handler gets a {@link StreamedBody}, and reads it itself. */
  readonly asStream?: string;
}

interface PublicSide {
  readonly credential: 'none';
  readonly handle: (call: Call) => Promise<Answer>;
}

interface ScopedSide {
  /** For a POST that creates something: `Idempotency-Key` is honoured, and `newId` of its call returns a reserved id first. */
  readonly idempotent?: true;
  readonly handle: (call: ScopedCall) => Promise<Answer>;
}

interface SessionSide extends ScopedSide {
  readonly credential: 'jwt';
  /** With `?member=`, a user id or a reference, a reseller acts for that member. The handler sees the scope, not the parameter. */
  readonly forMembers?: true;
}

/** `api-key` honours `X-Partner-Account`; `either` accepts a key, or else a session. */
interface KeySide extends ScopedSide {
  readonly credential: 'api-key' | 'either';
  /** The scope that a restricted key needs for the call; null: no scope is needed. */
  readonly keyScope: KeyScope | null;
  /** The call concerns the key's own account alone: `X-Partner-Account` is refused. */
  readonly isOwnAlone?: true;
}

/** One row of the route table. Its credential decides the type of its handler. */
export type Route = RouteDescription & (PublicSide | SessionSide | KeySide);
export type SessionRoute = RouteDescription & SessionSide;
export type KeyRoute = RouteDescription & KeySide;
export type CredentialRoute = SessionRoute | KeyRoute;

export const takesKey = (route: Route): route is KeyRoute =>
  route.credential === 'api-key' || route.credential === 'either';

/** Whether a reseller may name a member by `X-Partner-Account`. */
export const takesMembers = (route: Route): boolean => takesKey(route) && route.isOwnAlone !== true;

/** Whether a session may act for a member of its account. */
export const isForMembers = (route: Route): boolean => route.credential === 'jwt' && route.forMembers === true;

export const isIdempotent = (route: Route): boolean => route.credential !== 'none' && route.idempotent === true;

/** The body of a route with `asStream`. */
export function streamOf({ body }: Call): StreamedBody {
  if (body instanceof StreamedBody) return body;
  throw new Error('the body of this route is no stream');
}

/** A parameter that the route's path is known to have. */
export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`the path of this route has no parameter ${name}`);
  return value;
}
