import type { RequestHandler } from 'express';
import type { Call, CallLog } from './call-log.ts';
import type { Clock } from './clock.ts';
import type { FaultBook } from './fault-book.ts';
import { playFault } from './play-fault.ts';

/** Logs every call from outside and plays the fault that fits it. Comes before everything that does work. */
export function observeCalls(parts: { faults: FaultBook; calls: CallLog; clock: Clock }): RequestHandler {
  const { faults, calls, clock } = parts;
  return async (request, response, next) => {
    const path = request.path;
    const fault = faults.take({ method: request.method, path, url: request.originalUrl });
    const at = new Date(clock.now()).toISOString();
    const call: Call = { at, method: request.method, path, status: null, fault: fault?.mode ?? null };
    calls.add(call);
    // Set before the bytes leave, so that whoever has the answer also finds it in the log.
    response.once('prefinish', () => {
      call.status = response.statusCode;
    });
    if (fault === undefined) next();
    else await playFault(fault, { request, response, next, call });
  };
}
