import { pathNumber } from './check-request.ts';
import { badRequest, notFound } from './refusals.ts';
import { sellerAsPerson } from './seller.ts';
import type { WireHandler } from './wire-call.ts';
import { wireTime } from './wire-time.ts';

export const userHandlers = {
  fetchToken({ world, now, body }) {
    const user = world.users.withNumber(body.number('userId'));
    const token = user === undefined ? undefined : world.users.redeem(user, body.text('secretKey'), now);
    if (token === undefined) throw badRequest('the secret key is unknown or has been used');
    return { authToken: token.token, hardExpirationTime: wireTime(token.expiresAt, world.switches) };
  },
  readMe({ world, user }) {
    const { number, phone, ...person } = sellerAsPerson(world, user.userId);
    return {
      id: number,
      phoneNumber: phone,
      ...person,
      personalNumber: null,
      currencyCode: 'SEK',
      languageCodeIso2: 'sv',
    };
  },
  readSellerInfo({ world, request }) {
    const number = pathNumber(request, 'userId');
    if (world.users.withNumber(number) === undefined) throw notFound(`user ${number}`);
    return {
      hasShop: false,
      isCompany: false,
      personalMessage: null,
      totalRating: 0,
      positiveFeedbackPercent: null,
      detailedSellerRating: null,
    };
  },
} satisfies Record<string, WireHandler>;
