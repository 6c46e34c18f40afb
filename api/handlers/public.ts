import { hostedImageHeaders } from '../../features/images/rules/image-set.ts';
import { readConversionRequest } from '../../schemas/categories/categories.ts';
import type { VehicleAnswer } from '../../schemas/vehicles/vehicle.ts';
import { convertCategory, listCategories } from '../../features/listings/categories.ts';
import { readHostedImage } from '../../features/images/hosted-image.ts';
import { readVehicle } from '../../features/vehicles/read-vehicle.ts';
import { noStore } from '../http/error-response.ts';
import { param, type Answer, type Call, type ScopedCall } from '../http/route.ts';

/** `GET /categories`: 200 with the 18 domains. */
export async function getCategories(): Promise<Answer> {
  return { status: 200, body: listCategories(), headers: { 'Cache-Control': 'public, max-age=3600' } };
}

/** `POST /categories/convert`: 200 with the category in the other market. */
export async function postCategoryConversion({ context, body }: Call): Promise<Answer> {
  return { status: 200, body: await convertCategory(context.classification, readConversionRequest(body)) };
}

/** `Age` is the age of the answer in seconds; over a day only while the registry is unavailable. */
export async function getVehicleLookup({ context, scope, query }: ScopedCall): Promise<Answer> {
  const { vehicle, ageSeconds } = await readVehicle(context, scope, query['plate']);
  const { registrationPlate, make, model, year, fuelType, color } = vehicle;
  const body: VehicleAnswer = { registrationPlate, make, model, year, fuelType, color };
  return { status: 200, body, headers: { Age: String(ageSeconds) } };
}

/** Allows pages of other sites to embed the images, because auctions do. */
const headers = {
  'Cache-Control': hostedImageHeaders.cacheControl,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** `GET /images/{accountId}/{hash}/{file}`: the JPEG, or the part that the request asks for. */
export async function getImage(call: Call): Promise<Answer> {
  const key = `${param(call, 'accountId')}/${param(call, 'hash')}/${param(call, 'file')}`;
  return { status: 200, file: { type: hostedImageHeaders.type, ...readHostedImage(call.context, key) }, headers };
}

/** True while the process runs. It checks nothing else, so that no supervisor restarts the process because of a slow database. */
export async function getHealthz(): Promise<Answer> {
  return { status: 200, body: { status: 'ok' }, headers: noStore };
}

/** Tells a load balancer whether to send requests to this process. */
export async function getReadyz(call: Call): Promise<Answer> {
  const isReady = await call.isReady();
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'unavailable' }, headers: noStore };
}
