import Type from 'typebox';
import { categoryListSchema } from '../../schemas/categories/category-record.ts';
import { conversionRequestSchema, conversionSchema } from '../../schemas/categories/conversion.ts';
import { publicProfileSchema } from '../../schemas/resellers/public-profile.ts';
import { getCategories, postCategoryConversion } from '../handlers/categories.ts';
import { getHealthz, getReadyz } from '../handlers/health.ts';
import type { Route } from '../http/route.ts';
import { anyText } from './path-parameters.ts';
import { getImage } from '../handlers/images.ts';
import { getPublicProfile } from '../handlers/resellers.ts';

const healthSchema = Type.Object({ status: Type.String() }, { $id: 'Health' });

export const publicRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/categories',
    name: 'listCategories',
    credential: 'none',
    tag: 'Categories',
    summary: 'List the 18 domains',
    answers: { 200: { description: 'All of them', schema: categoryListSchema } },
    handle: getCategories,
  },
  {
    method: 'post',
    path: '/categories/convert',
    name: 'convertCategory',
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
    name: 'getPublicProfile',
    credential: 'none',
    tag: 'Resellers',
    summary: 'Read a public profile',
    params: { slug: anyText('Slug of the page', 'bildelar-norr') },
    answers: { 200: { description: 'The profile', schema: publicProfileSchema } },
    refusals: ['NOT_FOUND'],
    handle: getPublicProfile,
  },
  {
    method: 'get',
    path: '/images/{accountId}/{hash}/{file}',
    name: 'getImage',
    credential: 'none',
    tag: 'Images',
    summary: 'Read a hosted image',
    params: {
      accountId: anyText('Owner', '7d1f6a0e-2a55-4c3b-8f0e-5d2b9c7a4e10'),
      hash: anyText('SHA-256 of the source image', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
      file: anyText('large.jpg or thumb.jpg', 'large.jpg'),
    },
    answers: { 200: { description: 'The image', contentType: 'image/jpeg' } },
    refusals: ['NOT_FOUND'],
    handle: getImage,
  },
  {
    method: 'get',
    path: '/healthz',
    name: 'getHealth',
    credential: 'none',
    tag: 'Health',
    summary: 'Whether the process runs',
    answers: { 200: { description: 'It does', schema: healthSchema } },
    handle: getHealthz,
  },
  {
    method: 'get',
    path: '/readyz',
    name: 'getReadiness',
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
