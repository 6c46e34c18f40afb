import { readListingDefaults as readBody } from '../../schemas/items/listing-terms.ts';
import {
  changeListingDefaults,
  readListingDefaults,
} from '../../usecases/marketplace-connection/marketplace-connection.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getListingDefaults({ context, scope }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readListingDefaults(context, scope) };
}

export async function putListingDefaults({ context, scope, body }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await changeListingDefaults(context, scope, readBody(body)) };
}
