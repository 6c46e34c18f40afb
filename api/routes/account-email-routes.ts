import {
  emailChangeSchema,
  emailConfirmationSchema,
  forgottenPasswordSchema,
  passwordResetSchema,
} from '../../schemas/accounts/account-email.ts';
import {
  postEmail,
  postEmailConfirmation,
  postEmailVerification,
  postForgottenPassword,
  postPasswordReset,
} from '../handlers/account-email.ts';
import { noticesSchema, noticesWishSchema } from '../../schemas/accounts/notices.ts';
import { getNotices, putNotices } from '../handlers/account-email.ts';
import type { Route } from '../http/route.ts';

const needsMail = '503 where the service sends no mail.';
const limits = 'Attempts are limited as logins are: 429 with `Retry-After`.';

export const accountEmailRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/auth/password/forgotten',
    name: 'askForNewPassword',
    credential: 'none',
    tag: 'Session',
    summary: 'Have a link to a new password sent',
    description: `The answer is the same, and takes as long, whether the address has an account or not. The link works for one hour, once, and until the password is changed otherwise. ${limits} ${needsMail}`,
    request: { schema: forgottenPasswordSchema },
    answers: { 202: { description: 'A link is sent if the address has an account' } },
    handle: postForgottenPassword,
  },
  {
    method: 'post',
    path: '/auth/password/reset',
    name: 'resetPassword',
    credential: 'none',
    tag: 'Session',
    summary: 'Set a new password by the link of a mail',
    description: `Ends all sessions of the account at once; API keys stay as they are. A link that was used or is too old is 422 for the field \`token\`. ${limits}`,
    request: { schema: passwordResetSchema },
    answers: { 204: { description: 'Set' } },
    handle: postPasswordReset,
  },
  {
    method: 'post',
    path: '/auth/email',
    name: 'changeEmail',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Change the email address',
    description: `Sends a link to the new address. The account keeps its address until the link is opened, within a day; then the former one is told. The answer is the same when another account has the address. A wrong \`password\` is 422. ${limits} ${needsMail}`,
    request: { schema: emailChangeSchema },
    answers: { 202: { description: 'A link is sent to the new address' } },
    handle: postEmail,
  },
  {
    method: 'post',
    path: '/auth/email/verification',
    name: 'sendEmailConfirmation',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Have the link that confirms the email address sent again',
    description: `The first one is sent when the account is made. Notifications are sent to a confirmed address only. ${needsMail}`,
    answers: { 202: { description: 'A link is sent to the address of the account' } },
    refusals: ['CONFLICT'],
    handle: postEmailVerification,
  },
  {
    method: 'post',
    path: '/auth/email/confirm',
    name: 'confirmEmail',
    credential: 'none',
    tag: 'Session',
    summary: 'Confirm an email address by the link of a mail',
    description: `The address is the account's from then on. A link that was used or is too old is 422 for the field \`token\`; 409 when the address has got an account of its own meanwhile. ${limits}`,
    request: { schema: emailConfirmationSchema },
    answers: { 204: { description: 'Confirmed' } },
    refusals: ['CONFLICT'],
    handle: postEmailConfirmation,
  },
  {
    method: 'get',
    path: '/auth/notices',
    name: 'getNotices',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Read which emails the account gets',
    description:
      'Without a choice: for a webhook that was switched off and for an expired connection to the marketplace, none for sales, and no summary of the week. A failed renewal of the Pro plan is always told. Each occurrence is told once, to a confirmed address only.',
    answers: { 200: { description: 'The choice', schema: noticesSchema } },
    handle: getNotices,
  },
  {
    method: 'put',
    path: '/auth/notices',
    name: 'chooseNotices',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Choose which emails the account gets',
    description: `The language is that of all emails of the account. ${needsMail}`,
    request: { schema: noticesWishSchema },
    answers: { 200: { description: 'The choice', schema: noticesSchema } },
    handle: putNotices,
  },
];
