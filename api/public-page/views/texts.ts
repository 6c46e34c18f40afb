import type { Language } from '../language.ts';
import { html, type Html } from './html.ts';

/** The public page in Swedish. `name` is the reseller's. */
const textsSv = {
  languageName: 'Svenska',
  languages: 'Språk',
  title: (name: string) => `Bli medlem hos ${name}`,
  heading: (name: Html) => html`Bli medlem hos ${name}`,
  memberTitle: (name: string) => `Du är medlem hos ${name}`,
  memberHeading: (name: Html) => html`Du är medlem hos ${name}`,
  logo: (name: string) => `Logotyp för ${name}`,
  errorPrefix: 'Fel',
  ways: {
    lead: 'Det kostar dig ingenting. Du säljer i ditt eget namn, och pengarna går till dig.',
    terms: 'Läs vad det innebär.',
    signUp: 'Skapa konto och gå med',
    signIn: 'Logga in',
  },
  about: (name: Html) => html`Om ${name}`,
  terms: {
    heading: 'Vad det innebär att gå med',
    seller: {
      heading: 'Vem säljer?',
      text: (name: Html) =>
        html`Du. Artiklarna säljs i ditt namn, från ditt eget konto och din egen anslutning till marknadsplatsen.
        ${name} får lägga in, ändra, publicera och ta ned artiklar åt dig. Allt som görs syns i din aktivitetslogg.`,
    },
    money: {
      heading: 'Vem får pengarna?',
      text: (name: Html) =>
        html`Du. Köparnas pengar går till dig, på samma sätt som utan medlemskap. Inga pengar går via ${name}.`,
    },
    commission: {
      heading: 'Vad kostar det?',
      text: (name: Html, percent: string) =>
        html`Att gå med kostar dig ingenting hos oss. ${name} betalar oss <strong>${percent}</strong> i provision på det
          som medlemmarna säljer medan de är medlemmar. Provisionen dras inte från dina pengar, och vår avgift på det du
          säljer är densamma som utan medlemskap. Vad ${name} själv tar betalt av dig gör ni upp om själva.`,
    },
    seen: {
      heading: 'Vad ser återförsäljaren?',
      text: (name: Html) =>
        html`${name} ser ditt kontos namn och e-postadress, dina artiklar och när och för hur mycket de säljs. Köparnas
        namn och adresser bara om du delar dina ordrar. Aldrig ditt lösenord, dina API-nycklar eller din inloggning hos
        marknadsplatsen.`,
    },
    leaving: {
      heading: 'Hur lämnar du?',
      text: (name: Html) =>
        html`När du vill, på den här sidan eller i kontrollpanelen. Därefter kan ${name} inte längre göra något åt dig.
        Dina artiklar, dina auktioner och din anslutning till marknadsplatsen finns kvar som de är.`,
    },
  },
  action: {
    join: 'Gå med',
    signedInAs: (name: Html, email: Html) => html`Inloggad som <strong>${name}</strong> (${email}).`,
    joinButton: (name: Html) => html`Gå med hos ${name}`,
    approval: (name: Html) => html`${name} godkänner sina medlemmar. Du blir medlem när du har blivit godkänd.`,
    askButton: (name: Html) => html`Be att få gå med hos ${name}`,
    waitingHeading: 'Du väntar på svar',
    waiting: (name: Html, since: string) =>
      html`Kontot bad om att gå med hos ${name} den ${since}. Du blir medlem när ${name} har godkänt dig.`,
    withdrawButton: 'Ta tillbaka förfrågan',
    signOut: 'Inte du? Logga ut',
    ownPage: 'Det här är din egen sida. Så här ser den ut för dem som vill bli medlemmar hos dig.',
    ownPageNext: 'Ändra sidan och se dina medlemmar i kontrollpanelen',
    reseller: 'Det här kontot är självt återförsäljare och kan inte bli medlem hos någon annan.',
    memberHeading: 'Ditt medlemskap',
    member: (name: Html, since: string) => html`Kontot är medlem hos ${name} sedan ${since}.`,
    dashboard: 'Till kontrollpanelen',
    elsewhereHeading: 'Du är medlem hos en annan återförsäljare',
    elsewhere: (name: Html, other: Html) =>
      html`Kontot är medlem hos ${other}. Ett konto kan ha en återförsäljare åt gången: lämna ${other} först, så kan du
      gå med hos ${name} här.`,
    leave: (name: Html) => html`Lämna ${name}`,
    leaveText: (name: Html) =>
      html`${name} kan sedan inte längre göra något åt dig. Artiklar, auktioner och din anslutning till marknadsplatsen
      finns kvar. Du kan gå med igen när du vill.`,
    leaveButton: (name: Html) => html`Lämna ${name}`,
  },
  sharing: {
    label: (name: Html) => html`Låt ${name} hantera mina ordrar`,
    hint: (name: Html) =>
      html`${name} får då läsa dina ordrar med köparnas namn och adresser, och markera dem som betalda eller skickade.
      Varje visning syns i din aktivitetslogg. Du kan ändra ditt val här när du vill.`,
    save: 'Spara valet',
  },
  signUp: {
    heading: 'Är du ny? Skapa konto och gå med',
    text: (name: Html) => html`Du får ett eget konto och blir medlem hos ${name} i samma steg.`,
    name: 'Namn',
    nameHint: 'Ditt företag eller ditt eget namn',
    email: 'E-postadress',
    password: 'Lösenord',
    passwordHint: '10–128 tecken och inte ett vanligt lösenord',
    button: 'Skapa konto och gå med',
    asking: {
      heading: 'Är du ny? Skapa konto och be att få gå med',
      text: (name: Html) => html`Du får ett eget konto. Du blir medlem hos ${name} när du har blivit godkänd.`,
      button: 'Skapa konto och be att få gå med',
    },
  },
  signIn: {
    heading: 'Har du redan ett konto?',
    text: 'Logga in, så kommer du tillbaka hit. Du blir medlem först när du sedan trycker på knappen.',
    button: 'Logga in',
  },
  problems: {
    name: 'Skriv ett namn på en rad, högst 120 tecken.',
    email: 'Skriv en e-postadress, till exempel namn@example.se.',
    password: 'Lösenordet ska ha 10 till 128 tecken och får varken vara ett vanligt lösenord eller e-postadressen.',
    emailTaken: 'Det finns redan ett konto med den här e-postadressen. Logga in i stället.',
    wrongPassword: 'Fel e-postadress eller lösenord.',
    suspended: 'Kontot är avstängt. Kontakta supporten.',
    checkFields: 'Det gick inte att skapa kontot. Se de markerade fälten.',
    checkSignIn: 'Det gick inte att logga in. Se de markerade fälten.',
    staleForm:
      'Ingenting har ändrats: sidan hade legat öppen för länge, eller så tar webbläsaren inte emot kakor (cookies). Försök igen.',
    signedOut: 'Ingenting har ändrats: du är inte längre inloggad. Logga in och försök igen.',
    pageChanged:
      'Ingenting har gjorts: något har ändrats sedan sidan öppnades. Så här ser det ut nu; titta igenom och välj igen.',
    cannotJoin: 'Kontot kan inte gå med just nu. Nedan ser du varför och vad du kan göra.',
    tooMany: (minutes: number) =>
      minutes === 1 ? 'För många försök. Vänta en minut.' : `För många försök. Vänta ${minutes} minuter.`,
  },
  done: {
    joined: (name: Html) => html`Klart! Kontot är nu medlem hos ${name}.`,
    asked: (name: Html) => html`Klart! ${name} har fått din förfrågan.`,
    joinedNext: 'Anslut ditt konto på marknadsplatsen, om du inte redan har gjort det',
    left: 'Klart! Kontot är inte längre medlem hos någon återförsäljare.',
  },
  errors: {
    NOT_FOUND: {
      title: 'Sidan finns inte',
      text: 'Kontrollera att adressen är rätt skriven, eller be den som gav dig länken om en ny.',
    },
    ORIGIN_FORBIDDEN: {
      title: 'Formuläret kom från en annan webbplats',
      text: 'Av säkerhetsskäl har ingenting gjorts. Öppna sidan här och försök igen.',
    },
    METHOD_NOT_ALLOWED: { title: 'Sidan kan inte öppnas så', text: 'Öppna sidan i webbläsaren i stället.' },
    RATE_LIMITED: { title: 'För många anrop', text: 'Vänta en stund och ladda sedan om sidan.' },
    UNAVAILABLE: { title: 'Tjänsten är tillfälligt otillgänglig', text: 'Försök igen om en stund.' },
    INTERNAL: {
      title: 'Något gick fel hos oss',
      text: 'Försök igen. Kontakta supporten med numret nedan om felet kvarstår.',
    },
    other: {
      title: 'Det gick inte att läsa anropet',
      text: 'Ingenting har gjorts. Gå tillbaka till sidan och försök igen.',
    },
  },
  backToPage: 'Till sidan',
  reference: 'Ärendenummer',
};

export type Texts = typeof textsSv;

const textsEn: Texts = {
  languageName: 'English',
  languages: 'Language',
  title: (name) => `Become a member of ${name}`,
  heading: (name) => html`Become a member of ${name}`,
  memberTitle: (name) => `You are a member of ${name}`,
  memberHeading: (name) => html`You are a member of ${name}`,
  logo: (name: string) => `Logo of ${name}`,
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
        html`${name} sees the name and email address of your account, your items, and when and for how much they are
        sold. The buyers' names and addresses only if you share your orders. Never your password, your API keys or your
        sign-in at the marketplace.`,
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
    approval: (name) => html`${name} approves its members. You become a member once you have been approved.`,
    askButton: (name) => html`Ask to join ${name}`,
    waitingHeading: 'You are waiting for an answer',
    waiting: (name, since) =>
      html`The account asked to join ${name} on ${since}. You become a member once ${name} has approved you.`,
    withdrawButton: 'Withdraw the request',
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
    asking: {
      heading: 'New here? Create an account and ask to join',
      text: (name) => html`You get an account of your own. You become a member of ${name} once you have been approved.`,
      button: 'Create account and ask to join',
    },
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
    asked: (name) => html`Done! ${name} has received your request.`,
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

export const texts: Readonly<Record<Language, Texts>> = { sv: textsSv, en: textsEn };
