import Type from 'typebox';
import { imageFailureKinds } from '../../core/items/image-failure.ts';

export const imageFailureKindSchema = Type.Enum([...imageFailureKinds], {
  $id: 'ImageFailureKind',
  description: 'Why an image could not be used, as a word of a closed list',
});
