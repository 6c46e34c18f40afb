import { convertCategory } from '../../usecases/categories/convert-category.ts';
import { readConversionRequest } from '../../schemas/categories/conversion.ts';
import type { Answer, Call } from '../http/route.ts';

export async function postCategoryConversion({ context, body }: Call): Promise<Answer> {
  return { status: 200, body: await convertCategory(context.classification, readConversionRequest(body)) };
}
