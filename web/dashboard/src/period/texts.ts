import { defineTexts } from '../i18n/define-texts.ts';

export const periodTexts = defineTexts({
  sv: {
    period: 'Period',
    periods: {
      '': 'Alla',
      1: 'I dag',
      7: 'Senaste 7 dagarna',
      30: 'Senaste 30 dagarna',
      365: 'Senaste året',
      own: 'Välj datum …',
    },
    from: 'Från och med',
    to: 'Till och med',
  },
  en: {
    period: 'Period',
    periods: {
      '': 'All',
      1: 'Today',
      7: 'Last 7 days',
      30: 'Last 30 days',
      365: 'Last year',
      own: 'Choose dates…',
    },
    from: 'From',
    to: 'To',
  },
});
