import { defineTexts } from '../../i18n/define-texts.ts';

export const auctionTexts = defineTexts({
  sv: {
    notSeen: 'Uppe; slut och bud läses strax',
    ends: 'Slutar',
    bids: (count: number) => (count === 0 ? 'inga bud' : `${count} bud`),
    asOf: 'Läst',
    days: (days: number) => `${days} dagar`,
    starts: (time: string) => `Börjar tidigast ${time}`,
    endsAt: (time: string) => `Slutar ${time}`,
    reserve: (price: string) => `Reservationspris ${price}`,
    buyNow: (price: string) => `Köp nu ${price}`,
    relist: (times: number, step: string | null) =>
      `Läggs upp igen upp till ${times} gånger${step === null ? '' : `, ${step} billigare varje gång`}`,
    shipping: (optionId: number, cost: string) => `Fraktalternativ ${optionId}: ${cost}`,
    vat: (percent: number) => `Moms ${percent} %`,
    category: (id: number) => `Marknadsplatsens kategori ${id}`,
  },
  en: {
    notSeen: 'Up; its end and bids are read soon',
    ends: 'Ends',
    bids: (count: number) => (count === 0 ? 'no bids' : count === 1 ? '1 bid' : `${count} bids`),
    asOf: 'Read',
    days: (days: number) => `${days} days`,
    starts: (time: string) => `Not before ${time}`,
    endsAt: (time: string) => `Ends ${time}`,
    reserve: (price: string) => `Reserve price ${price}`,
    buyNow: (price: string) => `Buy now ${price}`,
    relist: (times: number, step: string | null) =>
      `Put up again up to ${times} times${step === null ? '' : `, ${step} less each time`}`,
    shipping: (optionId: number, cost: string) => `Shipping option ${optionId}: ${cost}`,
    vat: (percent: number) => `VAT ${percent} %`,
    category: (id: number) => `The marketplace’s category ${id}`,
  },
});
