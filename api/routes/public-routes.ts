import Type from 'typebox';
import {
  categoryListSchema,
  conversionRequestSchema,
  conversionSchema,
  readConversionRequest,
} from '../../schemas/categories/categories.ts';
import { publicProfileSchema } from '../../schemas/resellers/profiles.ts';
import { plateParameter, vehicleSchema, type VehicleAnswer } from '../../schemas/vehicles/vehicle.ts';
import { type Route, ok, param, type Call, type ScopedCall } from '../http/route.ts';
import { anyText } from './parameters.ts';
import { hostedImageHeaders } from '../../features/images/rules/image-set.ts';
import { convertCategory, listCategories } from '../../features/listings/categories.ts';
import { readHostedImage } from '../../features/images/hosted-image.ts';
import { readVehicle } from '../../features/vehicles/read-vehicle.ts';
import { noStore } from '../http/error-response.ts';
import { readPublicProfile } from '../../features/resellers/profiles.ts';

const healthSchema = Type.Object({ status: Type.String() }, { $id: 'Health' });

const imageHeaders = {
  ETag: 'Which version of it this is, for `If-Match` and `If-None-Match`',
  'Last-Modified': 'When it was stored',
  'Cache-Control': 'For a year: no other picture ever has this address',
  'Accept-Ranges': '`bytes`',
};

const imageConditions = {
  Range: {
    description: 'One range of bytes, such as `bytes=0-1023`; several are answered with the whole image',
    schema: Type.String(),
  },
  'If-None-Match': {
    description: 'ETags that the caller has; 304 when the present one is among them',
    schema: Type.String(),
  },
  'If-Modified-Since': { description: 'The same by time, without `If-None-Match`', schema: Type.String() },
};

export const publicRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/categories',
    name: 'listCategories',
    credential: 'none',
    tag: 'Categories',
    summary: 'List the 18 domains',
    description: 'Slugs, labels in English and Swedish, and the search inputs that a category has beside its text.',
    answers: { 200: { description: 'All of them', schema: categoryListSchema } },
    handle: async () => ({ status: 200, body: listCategories(), headers: { 'Cache-Control': 'public, max-age=3600' } }),
  },
  {
    method: 'post',
    path: '/categories/convert',
    name: 'convertCategory',
    credential: 'none',
    tag: 'Categories',
    summary: 'Convert a category id between the service and the marketplace',
    description:
      'By the table of categories where it knows the id; else the answer is a guess, with `confidence` 0.75 and `aiConverted`. The two markets have to differ.',
    request: { schema: conversionRequestSchema },
    answers: { 200: { description: 'By the table of categories, or classified', schema: conversionSchema } },
    handle: async ({ context, body }: Call) => ok(convertCategory(context.classification, readConversionRequest(body))),
  },
  {
    method: 'get',
    path: '/public/profiles/{slug}',
    name: 'getPublicProfile',
    credential: 'none',
    tag: 'Resellers',
    summary: 'Read a public profile',
    description: 'What the page `/p/{slug}` shows to everybody, and whether members can join there.',
    params: { slug: anyText('Slug of the page', 'bildelar-norr') },
    answers: { 200: { description: 'The profile', schema: publicProfileSchema } },
    refusals: ['NOT_FOUND'],
    handle: async (call: Call) => ok(readPublicProfile(call.context, param(call, 'slug'))),
  },
  {
    method: 'get',
    path: '/images/{accountId}/{hash}/{file}',
    name: 'getImage',
    credential: 'none',
    tag: 'Images',
    summary: 'Read a hosted image',
    description:
      "The service's own copy of an image: `large.jpg`, or `thumb.jpg` of at most 400 pixels. Its address changes when the picture does, so it may be cached for good.",
    params: {
      accountId: anyText('Owner', '7d1f6a0e-2a55-4c3b-8f0e-5d2b9c7a4e10'),
      hash: anyText('SHA-256 of the source image', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
      file: anyText('large.jpg or thumb.jpg', 'large.jpg'),
    },
    headers: imageConditions,
    answers: {
      200: { description: 'The image', contentType: 'image/jpeg', headers: imageHeaders },
      206: {
        description: 'The range that was asked for',
        contentType: 'image/jpeg',
        headers: {
          ...imageHeaders,
          'Content-Range': 'Which bytes these are, and how many there are; `bytes */` and how many when none are',
        },
      },
      304: { description: 'The caller has it already', headers: imageHeaders },
    },
    refusals: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
    handle: async (call: Call) => {
      const key = `${param(call, 'accountId')}/${param(call, 'hash')}/${param(call, 'file')}`;
      const file = { type: hostedImageHeaders.type, ...readHostedImage(call.context, key) };
      return { status: 200, file, headers: ofHostedImage };
    },
  },
  {
    method: 'get',
    path: '/healthz',
    name: 'getHealth',
    credential: 'none',
    tag: 'Health',
    summary: 'Whether the process runs',
    description: 'For a supervisor: 200 while the process runs, also when the database is out of reach.',
    answers: { 200: { description: 'It does', schema: healthSchema } },
    // It checks nothing else, so that no supervisor restarts the process because of a slow database.
    handle: async () => ({ status: 200, body: { status: 'ok' }, headers: noStore }),
  },
  {
    method: 'get',
    path: '/readyz',
    name: 'getReadiness',
    credential: 'none',
    tag: 'Health',
    summary: 'Whether the process can do its work',
    description:
      'For a load balancer: 503 while the database is out of reach, and as soon as the process is being stopped.',
    answers: {
      200: { description: 'It can', schema: healthSchema },
      503: { description: 'It cannot reach its database', schema: healthSchema },
    },
    handle: async (call: Call) => {
      const isReady = await call.isReady();
      return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'unavailable' }, headers: noStore };
    },
  },
];

export const vehicleRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/vehicles/lookup',
    name: 'lookUpVehicle',
    credential: 'either',
    keyScope: 'items:read',
    tag: 'Vehicles',
    summary: 'Look a vehicle up by its registration plate',
    description: [
      '- 429 `RATE_LIMITED`: also when the account has used up its look-ups in the registry, which are bounded by the minute and the day. What was looked up in the last 24 hours is still answered.',
      '- 503 `UNAVAILABLE`: the registry is out of reach, no look-ups are left at all, or look-ups are off: the message says which.',
    ].join('\n'),
    query: { plate: { required: true, description: 'Swedish registration plate', schema: plateParameter } },
    answers: {
      200: {
        description: 'The vehicle; answers are kept for 24 hours, and longer while the registry is out of reach',
        schema: vehicleSchema,
        headers: { Age: 'Seconds since the registry was asked' },
      },
    },
    refusals: ['VALIDATION_FAILED', 'NOT_FOUND', 'UNAVAILABLE'],
    // `Age` is the age of the answer in seconds; over a day only while the registry is unavailable.
    handle: async ({ context, scope, query }: ScopedCall) => {
      const { vehicle, ageSeconds } = await readVehicle(context, scope, query['plate']);
      const { registrationPlate, make, model, year, fuelType, color } = vehicle;
      const body: VehicleAnswer = { registrationPlate, make, model, year, fuelType, color };
      return { status: 200, body, headers: { Age: String(ageSeconds) } };
    },
  },
];

/** Allows pages of other sites to embed the images, because auctions do. */
const ofHostedImage = {
  'Cache-Control': hostedImageHeaders.cacheControl,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
