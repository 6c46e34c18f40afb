import Type, { type Static } from 'typebox';

import { imageFailureKindSchema } from '../items/image-failure.ts';
import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const itemImagesReadySchema = eventEnvelope('item.images_ready', {
  id: 'ItemImagesReadyEvent',
  description: 'Every image of an item has its outcome; sent once per image list that is not empty',
  data: Type.Object(
    {
      ...commonEventData,
      imagesProcessed: Type.Integer({ minimum: 0, description: 'How many images are hosted; 0 when all failed' }),
      imagesFailed: Type.Optional(
        Type.Array(
          Type.Object(
            {
              url: Type.String({ description: 'The URL as it was sent' }),
              reason: Type.String({ description: 'Why it could not be used, in English, with what helps' }),
              kind: imageFailureKindSchema,
            },
            { $id: 'FailedImage', description: 'An image that could not be used' },
          ),
          { description: 'The images that failed; left out when none did' },
        ),
      ),
    },
    { $id: 'ItemImagesReadyEventData' },
  ),
});
export type ItemImagesReadyEvent = Static<typeof itemImagesReadySchema>;
