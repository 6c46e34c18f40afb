import { readConversionRequest } from '../../schemas/categories/conversion.ts';
import type { Answer, Call } from '../http/route.ts';

export async function postCategoryConversion({ dependencies, body }: Call): Promise<Answer> {
  return { status: 200, body: await dependencies.categories.convert(readConversionRequest(body)) };
}
