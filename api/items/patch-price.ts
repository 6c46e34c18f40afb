import { changePrice } from '../../usecases/items/change-price.ts';
import { readPriceRequest } from '../../schemas/items/price-request.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { answerWrite, readTarget, updateMessages } from './answer-write.ts';

/** 202: the price is stored, a live auction follows. */
export async function patchPrice(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const { priceOre, warnings } = readPriceRequest(call.body);
  const result = await changePrice(call.context, call.scope, { ...target, priceOre });
  const answered = { ...result, warnings: [...warnings, ...result.warnings] };
  return answerWrite(target, answered, updateMessages('Price'));
}
