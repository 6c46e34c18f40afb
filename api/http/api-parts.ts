import type { RequestObserver } from '../../platform/request-observer.ts';
import type { CallerLimits } from '../../features/accounts/caller-limits.ts';
import type { Context } from '../../features/context.ts';
import type { RequestRecorder } from '../../features/accounts/request-log.ts';
import type { Route } from './route.ts';

/** The parts of the API process that no use case needs. */
export interface ApiParts {
  /** Counts and traces every request. */
  readonly requestObserver?: RequestObserver | undefined;
  /** Writes the accounts' logs of calls; undefined where they are switched off. */
  readonly requestRecorder?: RequestRecorder | undefined;
  /** null: calls are not limited, and answers have no rate-limit headers. */
  readonly rateLimits: CallerLimits | null;
  /** Proxies whose `X-Forwarded-For` is trusted: addresses, networks (`10.0.0.0/8`), or loopback, linklocal, uniquelocal. */
  readonly trustedProxies: readonly string[];
  /** How long a streamed body may wait for its sender, and last in all; default one minute and six hours. */
  readonly streamTimes?: { readonly patienceMs: number; readonly totalMs: number };
  /** Whether this process can do its work now. Never throws. */
  readonly isReady: () => Promise<boolean>;
  /** Whether an error means that the database or the image store is unreachable: 503 instead of 500. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** All paths of the interface by default. */
  readonly routes?: readonly Route[];
}

export interface Served {
  readonly context: Context;
  readonly parts: ApiParts;
}
