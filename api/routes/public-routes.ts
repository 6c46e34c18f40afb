import Type from 'typebox';
import { categoryListSchema } from '../../schemas/categories/category-record.ts';
import { conversionRequestSchema, conversionSchema } from '../../schemas/categories/conversion.ts';
import { publicProfileSchema } from '../../schemas/resellers/public-profile.ts';
import { getCategories, postCategoryConversion } from '../handlers/categories.ts';
import { getHealthz, getReadyz } from '../handlers/health.ts';
import type { Route } from '../http/route.ts';
import { getImage } from '../handlers/images.ts';
import { getPublicProfile } from '../handlers/resellers.ts';

const healthSchema = Type.Object({ status: Type.String() }, { $id: 'Health' });

const imageHeaders = {
  ETag: 'Changes with the bytes',
  'Last-Modified': 'When it was stored',
  'Cache-Control': 'For a year: no other picture ever has this address',
  'Accept-Ranges': '`bytes`',
};

const imageConditions = {
  Range: {
    description: 'One range of bytes, such as `bytes=0-1023`; several are answered with the whole image',
    schema: Type.String(),
  },
  'If-Range': { description: 'The range only while this ETag is the present one', schema: Type.String() },
  'If-None-Match': {
    description: 'ETags that the caller has; 304 when the present one is among them',
    schema: Type.String(),
  },
  'If-Modified-Since': { description: 'The same by time, without `If-None-Match`', schema: Type.String() },
  'If-Match': { description: 'ETags of which one must be the present one, else 412', schema: Type.String() },
  'If-Unmodified-Since': { description: 'The same by time, without `If-Match`', schema: Type.String() },
};

export const publicRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/categories',
    credential: 'none',
    tag: 'Categories',
    summary: 'List the 18 domains',
    answers: { 200: { description: 'All of them', schema: categoryListSchema } },
    handle: getCategories,
  },
  {
    method: 'post',
    path: '/categories/convert',
    credential: 'none',
    tag: 'Categories',
    summary: 'Convert a category id between the service and the marketplace',
    request: { schema: conversionRequestSchema },
    answers: { 200: { description: 'By the table of categories, or classified', schema: conversionSchema } },
    handle: postCategoryConversion,
  },
  {
    method: 'get',
    path: '/public/profiles/{slug}',
    credential: 'none',
    tag: 'Resellers',
    summary: 'Read a public profile',
    params: { slug: 'Slug of the page' },
    answers: { 200: { description: 'The profile', schema: publicProfileSchema } },
    refusals: ['NOT_FOUND'],
    handle: getPublicProfile,
  },
  {
    method: 'get',
    path: '/images/{accountId}/{hash}/{file}',
    credential: 'none',
    tag: 'Images',
    summary: 'Read a hosted image',
    params: { accountId: 'Owner', hash: 'SHA-256 of the source image', file: 'large.jpg or thumb.jpg' },
    headers: imageConditions,
    answers: {
      200: { description: 'The image', contentType: 'image/jpeg', headers: imageHeaders },
      206: {
        description: 'The range that was asked for',
        contentType: 'image/jpeg',
        headers: { ...imageHeaders, 'Content-Range': 'Which bytes these are, and how many the image has' },
      },
      304: { description: 'The caller has it already', headers: imageHeaders },
    },
    refusals: ['NOT_FOUND', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
    handle: getImage,
  },
  {
    method: 'get',
    path: '/healthz',
    credential: 'none',
    tag: 'Health',
    summary: 'Whether the process runs',
    answers: { 200: { description: 'It does', schema: healthSchema } },
    handle: getHealthz,
  },
  {
    method: 'get',
    path: '/readyz',
    credential: 'none',
    tag: 'Health',
    summary: 'Whether the process can do its work',
    answers: {
      200: { description: 'It can', schema: healthSchema },
      503: { description: 'It cannot reach its database', schema: healthSchema },
    },
    handle: getReadyz,
  },
];
