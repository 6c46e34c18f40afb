import { defineTexts } from '../../i18n/define-texts.ts';

export const subscriptionTexts = defineTexts({
  sv: {
    title: 'Abonnemang',
    now: 'Din plan',
    free: 'Gratis',
    pro: 'Pro',
    freeText: 'Allt du behöver för att sälja, utan kostnad. Pro lägger till prioriterad support.',
    isPro: 'Pro är betalt',
    proText: 'Perioden flyttas fram av sig själv för varje betald månad.',
    late: 'Pro är inte betalt',
    lateText: (day: string) => `Det som var betalt tog slut ${day}. Pro gäller inte förrän betalningen kommit in.`,
    lateTextNoDate: 'Pro gäller inte förrän betalningen kommit in.',
    lateWhat:
      'Betala fakturan som betaltjänsten skickade med e-post. Ett nytt köp behövs inte, och skulle bli en betalning till.',
    lateWhatElse:
      'Betalas den inte avslutas abonnemanget, och kontot blir Gratis. Artiklar och auktioner påverkas inte.',
    plan: 'Plan',
    since: 'Abonnent sedan',
    paidUntil: 'Betalt till',
    ranOut: 'Gick ut',

    upgrade: 'Uppgradera till Pro',
    upgradeText: 'Du betalar hos betaltjänsten och kommer sedan tillbaka hit. Avbryter du där ändras ingenting.',
    perMonth: '199 kr i månaden',
    notEnded: 'Det finns redan ett abonnemang som väntar på betalning',
    notEndedText:
      'Betala fakturan som betaltjänsten skickade, så gäller Pro. En första betalning som aldrig görs avslutar abonnemanget inom ett dygn; sedan kan du köpa på nytt här.',
    lookAgain: 'Titta igen',

    compare: 'Vad planerna innehåller',
    feature: 'Funktion',
    features: {
      sync: 'Synkning av artiklar',
      publish: 'Automatisk publicering på marknadsplatsen',
      webhooks: 'Webhooks',
      analytics: 'Statistik',
      support: 'Prioriterad support',
      price: 'Pris per månad',
    },
    included: 'ingår',
    notIncluded: 'ingår inte',
    inDashboard: 'på översikten',
    yours: 'din plan',

    storage: 'Lagring',
    storageLead: 'Nya artiklar och bilder utöver gränsen tas inte emot. Artiklar som finns kan alltid ändras.',
    storedItems: 'Artiklar',
    storedImages: 'Bilder',
    storedBytes: 'Bildernas storlek',
    usedOf: (used: string, limit: string) => `${used} av ${limit}`,
  },
  en: {
    title: 'Subscription',
    now: 'Your plan',
    free: 'Free',
    pro: 'Pro',
    freeText: 'Everything that you need to sell, at no cost. Pro adds priority support.',
    isPro: 'Pro is paid',
    proText: 'Each month that is paid moves the period on by itself.',
    late: 'Pro is not paid',
    lateText: (day: string) => `What was paid ended on ${day}. Pro does not hold until the payment has come in.`,
    lateTextNoDate: 'Pro does not hold until the payment has come in.',
    lateWhat:
      'Pay the invoice that the payment processor sent by email. There is no need to buy again; that would be one more payment.',
    lateWhatElse:
      'If it is not paid, the subscription ends and the account is Free. Items and auctions are not affected.',
    plan: 'Plan',
    since: 'Subscribed since',
    paidUntil: 'Paid until',
    ranOut: 'Ran out',

    upgrade: 'Upgrade to Pro',
    upgradeText: 'You pay at the payment processor and then come back here. If you turn back there, nothing changes.',
    perMonth: 'SEK 199 a month',
    notEnded: 'There is a subscription already that awaits payment',
    notEndedText:
      'Pay the invoice that the payment processor sent, and Pro holds. A first payment that is never made ends the subscription within a day; then you can buy anew here.',
    lookAgain: 'Look again',

    compare: 'What the plans include',
    feature: 'Feature',
    features: {
      sync: 'Item sync',
      publish: 'Automatic publication on the marketplace',
      webhooks: 'Webhooks',
      analytics: 'Analytics',
      support: 'Priority support',
      price: 'Monthly price',
    },
    included: 'included',
    notIncluded: 'not included',
    inDashboard: 'in the overview',
    yours: 'your plan',

    storage: 'Storage',
    storageLead: 'New items and images beyond the limit are refused. Items that are there can always be changed.',
    storedItems: 'Items',
    storedImages: 'Images',
    storedBytes: 'Size of the images',
    usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  },
});
