import { defineTexts } from '../i18n/define-texts.ts';

export const formTexts = defineTexts({
  sv: {
    url: 'Adress',
    urlHint: 'En https-adress som tar emot POST och svarar 2xx inom 10 sekunder.',
    label: 'Namn',
    labelHint: 'Det du själv kallar mottagaren, till exempel ”Affärssystemet”.',
    events: 'Händelser',
    allEvents: 'De vanliga händelserna',
    allEventsHint:
      'Allt om artiklar och auktioner. Betalda, skickade och makulerade ordrar och andras ändringar väljer du särskilt.',
    chooseOne: 'Välj minst en händelse.',
    scope: 'Vems händelser',
    self: 'Mina egna artiklar',
    members: 'Mina medlemmars artiklar',
    autoRecover: 'Skicka missade händelser igen automatiskt',
    autoRecoverHint: 'När mottagaren svarar igen får den det som den har missat de senaste 72 timmarna.',
  },
  en: {
    url: 'URL',
    urlHint: 'An https URL that accepts POST and responds with 2xx within 10 seconds.',
    label: 'Name',
    labelHint: 'Your own name for the receiver, for example “ERP”.',
    events: 'Events',
    allEvents: 'The usual events',
    allEventsHint:
      'Everything about items and auctions. Paid, shipped and cancelled orders, and changes by others, are chosen separately.',
    chooseOne: 'Choose at least one event.',
    scope: 'Whose events',
    self: 'My own items',
    members: 'My members’ items',
    autoRecover: 'Resend missed events automatically',
    autoRecoverHint: 'When the receiver responds again, it gets everything it missed in the last 72 hours.',
  },
});
