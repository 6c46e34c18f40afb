import { defineTexts } from '../../i18n/define-texts.ts';

export const auctionTexts = defineTexts({
  sv: {
    notSeen: 'Uppe; sluttid och bud hämtas strax',
    ends: 'Slutar',
    bids: (count: number) => (count === 0 ? 'inga bud' : `${count} bud`),
    asOf: 'Hämtat',
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
    notSeen: 'Live; end time and bids will appear shortly',
    ends: 'Ends',
    bids: (count: number) => (count === 0 ? 'no bids' : count === 1 ? '1 bid' : `${count} bids`),
    asOf: 'As of',
    days: (days: number) => `${days} days`,
    starts: (time: string) => `Starts ${time} at the earliest`,
    endsAt: (time: string) => `Ends ${time}`,
    reserve: (price: string) => `Reserve price ${price}`,
    buyNow: (price: string) => `Buy now ${price}`,
    relist: (times: number, step: string | null) =>
      `Relisted up to ${times} times${step === null ? '' : `, ${step} cheaper each time`}`,
    shipping: (optionId: number, cost: string) => `Shipping option ${optionId}: ${cost}`,
    vat: (percent: number) => `VAT ${percent}%`,
    category: (id: number) => `Marketplace category ${id}`,
  },
});
