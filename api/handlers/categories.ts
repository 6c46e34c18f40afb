import { readConversionRequest } from '../../schemas/categories/conversion.ts';
import { convertCategory, listCategories } from '../../usecases/categories/categories.ts';
import type { Answer, Call } from '../http/route.ts';

export async function getCategories(): Promise<Answer> {
  return { status: 200, body: listCategories(), headers: { 'Cache-Control': 'public, max-age=3600' } };
}

export async function postCategoryConversion({ context, body }: Call): Promise<Answer> {
  return { status: 200, body: await convertCategory(context.classification, readConversionRequest(body)) };
}
