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
      'Allt om artiklar och auktioner. Betalda, skickade och avbrutna ordrar och andras ändringar väljs för sig.',
    chooseOne: 'Välj minst en händelse.',
    scope: 'Vems händelser',
    self: 'Mina egna artiklar',
    members: 'Mina medlemmars artiklar',
    autoRecover: 'Skicka missade händelser igen av sig självt',
    autoRecoverHint: 'När mottagaren svarar igen får den det som den har missat de senaste 72 timmarna.',
  },
  en: {
    url: 'Address',
    urlHint: 'An https address that takes a POST and answers 2xx within 10 seconds.',
    label: 'Name',
    labelHint: 'What you call the receiver, for example “ERP”.',
    events: 'Events',
    allEvents: 'The usual events',
    allEventsHint:
      'All about items and auctions. Orders paid, sent and cancelled, and changes by others, are chosen one by one.',
    chooseOne: 'Choose at least one event.',
    scope: 'Whose events',
    self: 'My own items',
    members: 'My members’ items',
    autoRecover: 'Send missed events again by itself',
    autoRecoverHint: 'When the receiver answers again, it gets what it missed in the last 72 hours.',
  },
});
