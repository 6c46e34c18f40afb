import { html } from './html.ts';
import type { Texts } from './texts-sv.ts';

/** The public page in English. */
export const textsEn: Texts = {
  languageName: 'English',
  languages: 'Language',
  title: (name) => `Become a member of ${name}`,
  heading: (name) => html`Become a member of ${name}`,
  memberTitle: (name) => `You are a member of ${name}`,
  memberHeading: (name) => html`You are a member of ${name}`,
  errorPrefix: 'Error',
  about: (name) => html`About ${name}`,
  terms: {
    heading: 'What joining means',
    seller: {
      heading: 'Who sells?',
      text: (name) =>
        html`You do. Items are sold in your name, from your own account and your own connection to the marketplace.
        ${name} may add, change, publish and take down items for you; all that is done is in your log.`,
    },
    money: {
      heading: 'Who gets the money?',
      text: (name) =>
        html`You do. What buyers pay goes to you, as it does without a membership. None of it passes through ${name}.`,
    },
    commission: {
      heading: 'What does it cost?',
      text: (name, percent) =>
        html`Joining costs you nothing with us. ${name} pays us a commission of <strong>${percent}</strong> on what its
          members sell while they are members. It is not taken from your money, and our fee on what you sell is the same
          as without a membership. What ${name} itself charges you is between the two of you.`,
    },
    seen: {
      heading: 'What does the reseller see?',
      text: (name) =>
        html`${name} sees the name of your account, your items, and when and for how much they are sold. The buyers'
        names and addresses only if you share your orders. Never your password, your API keys or your sign-in at the
        marketplace.`,
    },
    leaving: {
      heading: 'How do you leave?',
      text: (name) =>
        html`Whenever you like, on this page or in the dashboard. From that moment ${name} can no longer do anything for
        you. Your items, your auctions and your connection to the marketplace stay as they are.`,
    },
  },
  action: {
    join: 'Join',
    signedInAs: (name, email) => html`Signed in as <strong>${name}</strong> (${email}).`,
    joinButton: (name) => html`Join ${name}`,
    signOut: 'Not you? Sign out',
    ownPage: 'This is your own page. This is how those see it who want to become your members.',
    ownPageNext: 'Change the page and see your members in the dashboard',
    reseller: 'This account is a reseller itself and cannot become the member of another.',
    memberHeading: 'Your membership',
    member: (name, since) => html`The account has been a member of ${name} since ${since}.`,
    dashboard: 'To the dashboard',
    elsewhereHeading: 'You are the member of another reseller',
    elsewhere: (name, other) =>
      html`The account is a member of ${other}. An account can have one reseller at a time: leave ${other} first, then
      you can join ${name} here.`,
    leave: (name) => html`Leave ${name}`,
    leaveText: (name) =>
      html`From then on ${name} can no longer do anything for you. Items, auctions and your connection to the
      marketplace stay. You can join again whenever you like.`,
    leaveButton: (name) => html`Yes, leave ${name}`,
  },
  sharing: {
    label: (name) => html`Let ${name} handle my orders`,
    hint: (name) =>
      html`${name} may then read your orders with the buyers' names and addresses, and mark them as paid or sent. Each
      reading is in your log. You can change this on this page whenever you like.`,
    save: 'Save the choice',
  },
  signUp: {
    heading: 'New here? Create an account and join',
    text: (name) => html`You get an account of your own and become a member of ${name} in the same step.`,
    name: 'Name',
    nameHint: 'Your company, or your own name',
    email: 'Email address',
    password: 'Password',
    passwordHint: '10 to 128 characters, and no common password',
    button: 'Create account and join',
  },
  signIn: {
    heading: 'Do you have an account already?',
    text: 'Sign in, and you come back here. You join only when you press the button afterwards.',
    button: 'Sign in',
  },
  problems: {
    name: 'Write a name on one line, at most 120 characters.',
    email: 'Write an email address, such as name@example.se.',
    password: 'The password must have 10 to 128 characters, and be neither a common one nor the email address.',
    emailTaken: 'There is an account with this email address already. Sign in instead.',
    wrongPassword: 'Wrong email address or password.',
    suspended: 'The account is suspended. Ask those who run the service.',
    checkFields: 'The account could not be created. Look at the marked fields.',
    checkSignIn: 'You could not be signed in. Look at the marked fields.',
    staleForm: 'Nothing was changed: the page had been open for too long, or the browser takes no cookies. Try again.',
    signedOut: 'Nothing was changed: you are no longer signed in. Sign in and try again.',
    pageChanged:
      'Nothing was done: something has changed since the page was opened. This is how it is now; look at it and choose again.',
    cannotJoin: 'The account cannot join here now. Why, and what you can do, is said further down.',
    tooMany: (minutes) => `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  },
  done: {
    joined: (name) => html`Done! The account is a member of ${name} now.`,
    joinedNext: 'Connect your account at the marketplace, if you have not done so yet',
    left: 'Done! The account is no longer the member of any reseller.',
  },
  errors: {
    NOT_FOUND: {
      title: 'There is no such page',
      text: 'Check that the address is written correctly, or ask whoever gave you the link for a new one.',
    },
    ORIGIN_FORBIDDEN: {
      title: 'The form came from another site',
      text: 'For your safety nothing was done. Open the page here and try again.',
    },
    METHOD_NOT_ALLOWED: { title: 'The page cannot be called like this', text: 'Open the page in the browser instead.' },
    RATE_LIMITED: { title: 'Too many requests', text: 'Wait a while, then load the page again.' },
    UNAVAILABLE: { title: 'The service is unavailable for the moment', text: 'Try again in a little while.' },
    INTERNAL: {
      title: 'Something went wrong on our side',
      text: 'Try again. If it happens again, contact us with the number below.',
    },
    other: { title: 'The request could not be read', text: 'Nothing was done. Go back to the page and try again.' },
  },
  backToPage: 'To the page',
  reference: 'Reference',
};
