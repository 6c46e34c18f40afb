import type { RequestObserver } from '../../platform/request-observer.ts';
import type { CallerLimits } from '../../usecases/rate-limits/caller-limits.ts';
import type { Context } from '../../usecases/context.ts';
import type { RequestRecorder } from '../../usecases/request-log/request-log.ts';
import type { Route } from './route.ts';

/** The parts of the API process that no use case needs. */
export interface ApiParts {
  /** Follows every request, for numbers and traces. */
  readonly requestObserver?: RequestObserver | undefined;
  /** Writes the accounts' logs of calls; undefined where they are switched off. */
  readonly requestRecorder?: RequestRecorder | undefined;
  /** null: no caller is limited, and no answer speaks of limits. */
  readonly rateLimits: CallerLimits | null;
  /** Proxies whose `X-Forwarded-For` is trusted: addresses, networks (`10.0.0.0/8`), or loopback, linklocal, uniquelocal. */
  readonly trustedProxies: readonly string[];
  /** How long a streamed body may keep the service waiting, and may take in all; default one minute and six hours. */
  readonly streamTimes?: { readonly patienceMs: number; readonly totalMs: number };
  /** Ends the answers that would go on for as long as their readers listen, when the process stops. */
  readonly endStreams?: () => void;
  /** Whether this process can do its work now. Never throws. */
  readonly isReady: () => Promise<boolean>;
  /** Whether an error means that the database or the image store is out of reach for now: 503 instead of 500. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Default: every path of the interface. */
  readonly routes?: readonly Route[];
}

/** Dependencies of an API process. */
export interface Served {
  readonly context: Context;
  readonly parts: ApiParts;
}
