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
  ways: {
    lead: 'It costs you nothing. You sell in your own name, and the money goes to you.',
    terms: 'See what joining means.',
    signUp: 'Create account and join',
    signIn: 'Sign in',
  },
  about: (name) => html`About ${name}`,
  terms: {
    heading: 'What joining means',
    seller: {
      heading: 'Who sells?',
      text: (name) =>
        html`You do. Items are sold in your name, from your own account and your own connection to the marketplace.
        ${name} may add, change, publish and take down items for you. Everything done is shown in your activity log.`,
    },
    money: {
      heading: 'Who gets the money?',
      text: (name) => html`You do. Buyers pay you, just as without a membership. No money passes through ${name}.`,
    },
    commission: {
      heading: 'What does it cost?',
      text: (name, percent) =>
        html`Joining costs you nothing with us. ${name} pays us a commission of <strong>${percent}</strong> on what its
          members sell while they are members. It is not taken from your money, and our fee on what you sell is the same
          as without a membership. Anything ${name} charges you is between the two of you.`,
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
        html`At any time, on this page or in the dashboard. After that ${name} can no longer do anything for you. Your
        items, your auctions and your connection to the marketplace stay as they are.`,
    },
  },
  action: {
    join: 'Join',
    signedInAs: (name, email) => html`Signed in as <strong>${name}</strong> (${email}).`,
    joinButton: (name) => html`Join ${name}`,
    signOut: 'Not you? Sign out',
    ownPage: 'This is your own page, as seen by people who want to become your members.',
    ownPageNext: 'Edit the page and see your members in the dashboard',
    reseller: 'This account is itself a reseller and can’t become a member of another.',
    memberHeading: 'Your membership',
    member: (name, since) => html`The account has been a member of ${name} since ${since}.`,
    dashboard: 'Go to the dashboard',
    elsewhereHeading: 'You are a member of another reseller',
    elsewhere: (name, other) =>
      html`The account is a member of ${other}. An account can have one reseller at a time: leave ${other} first, then
      you can join ${name} here.`,
    leave: (name) => html`Leave ${name}`,
    leaveText: (name) =>
      html`After that ${name} can no longer do anything for you. Items, auctions and your connection to the marketplace
      stay. You can rejoin at any time.`,
    leaveButton: (name) => html`Leave ${name}`,
  },
  sharing: {
    label: (name) => html`Let ${name} handle my orders`,
    hint: (name) =>
      html`${name} may then read your orders with the buyers' names and addresses, and mark them as paid or shipped.
      Every view is shown in your activity log. You can change this here at any time.`,
    save: 'Save',
  },
  signUp: {
    heading: 'New here? Create an account and join',
    text: (name) => html`You get an account of your own and become a member of ${name} in the same step.`,
    name: 'Name',
    nameHint: 'Your company, or your own name',
    email: 'Email address',
    password: 'Password',
    passwordHint: '10 to 128 characters, and not a common password',
    button: 'Create account and join',
  },
  signIn: {
    heading: 'Already have an account?',
    text: 'Sign in and you’ll come back here. You join only when you press the button afterwards.',
    button: 'Sign in',
  },
  problems: {
    name: 'Enter a name on one line, at most 120 characters.',
    email: 'Enter an email address, such as name@example.se.',
    password: 'The password must have 10 to 128 characters and can’t be a common password or your email address.',
    emailTaken: 'An account with this email address already exists. Sign in instead.',
    wrongPassword: 'Wrong email address or password.',
    suspended: 'This account is suspended. Please contact support.',
    checkFields: 'The account couldn’t be created. Check the marked fields.',
    checkSignIn: 'You couldn’t be signed in. Check the marked fields.',
    staleForm: 'Nothing was changed: the page had been open for too long, or your browser blocks cookies. Try again.',
    signedOut: 'Nothing was changed: you are no longer signed in. Sign in and try again.',
    pageChanged:
      'Nothing was done: something has changed since you opened the page. This is how it is now; check it and choose again.',
    cannotJoin: 'This account can’t join right now. See below for why and what you can do.',
    tooMany: (minutes) => `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  },
  done: {
    joined: (name) => html`Done! The account is now a member of ${name}.`,
    joinedNext: 'Connect your marketplace account, if you haven’t already',
    left: 'Done! The account is no longer a member of any reseller.',
  },
  errors: {
    NOT_FOUND: {
      title: 'Page not found',
      text: 'Check that the address is correct, or ask the person who gave you the link for a new one.',
    },
    ORIGIN_FORBIDDEN: {
      title: 'The form came from another site',
      text: 'For your safety nothing was done. Open the page here and try again.',
    },
    METHOD_NOT_ALLOWED: { title: 'The page can’t be opened this way', text: 'Open the page in your browser instead.' },
    RATE_LIMITED: { title: 'Too many requests', text: 'Wait a moment, then reload the page.' },
    UNAVAILABLE: { title: 'The service is temporarily unavailable', text: 'Try again in a moment.' },
    INTERNAL: {
      title: 'Something went wrong on our side',
      text: 'Try again. If it keeps happening, contact support with the number below.',
    },
    other: { title: 'The request couldn’t be read', text: 'Nothing was done. Go back to the page and try again.' },
  },
  backToPage: 'Back to the page',
  reference: 'Reference',
};
