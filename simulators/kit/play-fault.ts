import { setTimeout as wait } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Call, CallLog } from './admin-routes.ts';
import type { Clock } from './clock.ts';
import type { Fault, FaultBook } from './fault-book.ts';

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly next: NextFunction;
  readonly call: Call;
  readonly pause: Pause;
}

/** How a fault waits before the answer, the close or the work. */
export type Pause = (delayMs: number) => Promise<void>;

/** Half a JSON object and bytes that are no UTF-8: no reader can mistake it for an answer. */
const garbage = Buffer.concat([Buffer.from('{"garbage": <html>'), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])]);

async function playFault(fault: Fault, exchange: Exchange): Promise<void> {
  const { request, response, next, pause } = exchange;
  switch (fault.mode) {
    case 'status':
      await pause(fault.delayMs);
      response
        .status(fault.status)
        .set(fault.headers)
        .json({ error: { code: 'InjectedFault', message: `a fault answers ${fault.status}` } });
      return;
    case 'delay':
      await pause(fault.delayMs);
      next();
      return;
    case 'drop-before':
      await pause(fault.delayMs);
      request.socket.destroy();
      return;
    case 'drop-after':
      insteadOfAnswering(response, fault, () => request.socket.destroy());
      next();
      return;
    case 'garbage':
      insteadOfAnswering(response, fault, () => sendGarbage(exchange));
      next();
      return;
  }
}

/** Lets the route work as usual, and runs `act` at the moment its answer would be sent. */
function insteadOfAnswering(response: Response, fault: Fault, act: () => void): void {
  Object.assign(response, {
    write: () => true,
    writeHead: () => response,
    flushHeaders: () => undefined,
    end: () => {
      if (fault.delayMs === 0) act();
      else setTimeout(act, fault.delayMs).unref();
      return response;
    },
  });
}

function sendGarbage({ response, call }: Exchange): void {
  for (const name of ['write', 'writeHead', 'flushHeaders', 'end']) Reflect.deleteProperty(response, name);
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  call.status = 200;
  response.status(200).type('application/json').end(garbage);
}

/** In real time; the timer does not keep the process alive. */
const inRealTime: Pause = async (delayMs) => {
  if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
};

/**
 * Logs every call from outside and applies the fault that matches it. Must come before all middleware that does work.
 */
export function observeCalls(parts: {
  readonly faults: FaultBook;
  readonly calls: CallLog;
  readonly clock: Clock;
  readonly pause?: Pause | undefined;
}): RequestHandler {
  const { faults, calls, clock, pause = inRealTime } = parts;
  return async (request, response, next) => {
    const path = request.path;
    const fault = faults.take({ method: request.method, path, url: request.originalUrl });
    const at = new Date(clock.now()).toISOString();
    const call: Call = { at, method: request.method, path, status: null, fault: fault?.mode ?? null };
    calls.add(call);
    // Set before the bytes are sent, so that a caller that has the answer also finds it in the log.
    response.once('prefinish', () => {
      call.status = response.statusCode;
    });
    if (fault === undefined) next();
    else await playFault(fault, { request, response, next, call, pause });
  };
}
