import type { RequestObserver } from '../../platform/request-observer.ts';
import type { CallerLimits } from '../../usecases/rate-limits/create-caller-limits.ts';
import type { Context } from '../../usecases/context.ts';
import type { Route } from './route.ts';

/** The parts of the API process that no use case needs. */
export interface ApiParts {
  /** Receives every request, for metrics and traces. */
  readonly requestObserver?: RequestObserver | undefined;
  /** null: no caller is limited, and answers have no rate-limit headers. */
  readonly rateLimits: CallerLimits | null;
  /** Proxies whose `X-Forwarded-For` is trusted: addresses, networks (`10.0.0.0/8`), or loopback, linklocal, uniquelocal. */
  readonly trustedProxies: readonly string[];
  /** How long a streamed body may keep the service waiting, and may take in all; default one minute and six hours. */
  readonly streamTimes?: { readonly patienceMs: number; readonly totalMs: number };
  /** Tells whether this process can work now. Never throws. */
  readonly isReady: () => Promise<boolean>;
  /** True when an error means that the database is unavailable: 503 instead of 500. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Default: every path of the interface. */
  readonly routes?: readonly Route[];
}

/** Dependencies of an API process. */
export interface Served {
  readonly context: Context;
  readonly parts: ApiParts;
}
