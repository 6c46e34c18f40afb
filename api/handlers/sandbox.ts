import { orderId } from '../../features/rules/ids.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { readQuery } from '../../schemas/query.ts';
import { readSandboxSale } from '../../schemas/sandbox.ts';
import { endSandboxAuction, paySandboxOrder } from '../../features/accounts/play-buyer.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** 202: the auction has ended with a winning bid. */
export async function postSandboxSale(call: ScopedCall): Promise<Answer> {
  const externalId = readTarget(call);
  const { price } = readSandboxSale(call.body);
  const end = { kind: 'sell', bidKronor: price ?? null } as const;
  await endSandboxAuction(call.context, call.scope, { externalId, end });
  return done('Auction won; its sale is told within a minute');
}

/** 202: the auction has ended, with the bids that were there. */
export async function postSandboxEnd(call: ScopedCall): Promise<Answer> {
  const externalId = readTarget(call);
  await endSandboxAuction(call.context, call.scope, { externalId, end: { kind: 'end' } });
  return done('Auction ended; its outcome is told within a minute');
}

/** 202: the buyer has paid. */
export async function postSandboxPayment(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  await paySandboxOrder(call.context, call.scope, orderId(param(call, 'id')));
  return done('Order paid; that is told within a minute');
}

function readTarget(call: ScopedCall): string {
  readQuery(call.query, {});
  return readExternalId(param(call, 'external_id'));
}

const done = (message: string): Answer => ({ status: 202, body: { success: true, message } });
