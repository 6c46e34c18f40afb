import type { Request } from 'express';
import type { Fields } from '../../kit/fields.ts';
import type { User } from '../records/user-book.ts';
import type { World } from '../records/world.ts';
import type { Query } from './check-request.ts';

/** One admitted call: application and user are known, query and body are what the table of the interface says. */
export interface WireCall {
  readonly world: World;
  readonly request: Request;
  /** Whose token was sent. Operations of the application alone never ask. */
  readonly user: User;
  readonly now: number;
  readonly query: Query;
  /** The body as it was sent, and a reader of its fields. */
  readonly input: unknown;
  readonly body: Fields;
}

/** Returns the body of the 200; undefined is one without a body. */
export type WireHandler = (call: WireCall) => unknown;
