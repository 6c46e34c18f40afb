import type { WriteResult } from '../../usecases/items/write-item.ts';
import type { WriteMessages } from './answer-write.ts';

/** Of a PUT, and of each row of a batch. */
export const upsertMessages: WriteMessages<WriteResult['outcome']> = {
  created: { done: 'Item created', would: 'Item would be created' },
  updated: { done: 'Item updated', would: 'Item would be updated' },
  unchanged: { done: 'Item updated (unchanged)', would: 'Item would be updated (unchanged)' },
};
