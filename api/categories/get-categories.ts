import { listCategories } from '../../usecases/categories/list-categories.ts';
import type { Answer } from '../http/route.ts';

export async function getCategories(): Promise<Answer> {
  return { status: 200, body: listCategories(), headers: { 'Cache-Control': 'public, max-age=3600' } };
}
