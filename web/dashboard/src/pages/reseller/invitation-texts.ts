import { defineTexts } from '../../i18n/define-texts.ts';

export const invitationTexts = defineTexts({
  sv: {
    title: 'Bjud in medlemmar',
    lead: 'Var och en får ett mejl med en egen länk till din sida. Länken fungerar i 30 dagar.',
    whom: 'E-postadresser, en per rad',
    whomHint:
      'Vill du ge medlemmen en referens, till exempel ett kundnummer? Skriv den efter ett semikolon: lager@verkstad.se; KUND-7',
    send: 'Skicka inbjudningar',
    sent: (sent: number, skipped: number) =>
      `${sent} ${sent === 1 ? 'inbjudan skickas' : 'inbjudningar skickas'}${
        skipped === 0 ? '' : `. ${skipped} hoppades över: redan medlem, eller inbjuden det senaste dygnet`
      }`,
    sentBefore: (count: number) => `Skickade inbjudningar (${count})`,
    caption: 'Skickade inbjudningar',
    email: 'E-post',
    reference: 'Referens',
    noReference: 'väljs senare',
    invited: 'Inbjuden',
    state: 'Status',
    states: { open: 'Väntar på svar', joined: 'Medlem' },
    joinedAs: (email: string) => `Gick med som ${email}`,
    actions: 'Åtgärder',
    withdraw: 'Dra tillbaka',
    withdrawOf: (email: string) => `Dra tillbaka inbjudan till ${email}`,
    withdrawText: 'Länken i mejlet slutar fungera.',
    withdrawn: 'Inbjudan är tillbakadragen',
  },
  en: {
    title: 'Invite members',
    lead: 'Each person gets an email with a personal link to your page. The link works for 30 days.',
    whom: 'Email addresses, one per line',
    whomHint:
      'To give a member a reference, such as a customer number, put it after a semicolon: stock@garage.se; KUND-7',
    send: 'Send invitations',
    sent: (sent: number, skipped: number) =>
      `${sent} ${sent === 1 ? 'invitation is' : 'invitations are'} on the way${
        skipped === 0 ? '' : `. ${skipped} skipped: already a member, or invited within the last day`
      }`,
    sentBefore: (count: number) => `Invitations sent (${count})`,
    caption: 'Invitations sent',
    email: 'Email',
    reference: 'Reference',
    noReference: 'chosen later',
    invited: 'Invited',
    state: 'Status',
    states: { open: 'Awaiting reply', joined: 'Member' },
    joinedAs: (email: string) => `Joined as ${email}`,
    actions: 'Actions',
    withdraw: 'Withdraw',
    withdrawOf: (email: string) => `Withdraw the invitation to ${email}`,
    withdrawText: 'The link in the email stops working.',
    withdrawn: 'The invitation is withdrawn',
  },
});
