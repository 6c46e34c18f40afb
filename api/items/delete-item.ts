import { deleteItem as removeItem } from '../../usecases/items/delete-item.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { answerWrite, readTarget } from './answer-write.ts';

/** 202: the external id is free again, the auction comes down in the background. Without an ETag: there is no item to write to. */
export async function deleteItem(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const result = await removeItem(call.context, call.scope, target);
  const { status, body } = answerWrite(target, result, {
    deleted: { done: 'Item deleted', would: 'Item would be deleted' },
    archived: {
      done: 'Item archived, because an order is in progress',
      would: 'Item would be archived, because an order is in progress',
    },
    unchanged: {
      done: 'Item archived, because an order is in progress (unchanged)',
      would: 'Item would stay archived, because an order is in progress',
    },
  });
  return { status, body };
}
