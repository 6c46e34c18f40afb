import { html, type Html } from './html.ts';

/** The public page in Swedish. `name` is the reseller's. */
export const textsSv = {
  languageName: 'Svenska',
  languages: 'Språk',
  title: (name: string) => `Bli medlem hos ${name}`,
  heading: (name: Html) => html`Bli medlem hos ${name}`,
  memberTitle: (name: string) => `Du är medlem hos ${name}`,
  memberHeading: (name: Html) => html`Du är medlem hos ${name}`,
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
        html`${name} ser ditt kontos namn, dina artiklar och när och för hur mycket de säljs. Köparnas namn och adresser
        bara om du delar dina ordrar. Aldrig ditt lösenord, dina API-nycklar eller din inloggning hos marknadsplatsen.`,
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
