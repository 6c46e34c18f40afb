/** What varies between two items of the same kind. Colours are `#rrggbb`. */
export interface Look {
  readonly main: string;
  readonly accent: string;
  /** A short text that some drawings carry on them: a brand, a book title, a number. */
  readonly label: string;
}

/** Draws one thing, standing on y = 200 or lying around 0,0. */
export type Shape = (look: Look) => string;

/** Gradients that {@link definitions} declares, for use as fill or stroke. */
export const paint = {
  main: 'url(#main)',
  accent: 'url(#accent)',
  metal: 'url(#metal)',
  steel: 'url(#steel)',
  dark: 'url(#dark)',
  wood: 'url(#wood)',
  gold: 'url(#gold)',
  glass: 'url(#glass)',
  paper: 'url(#paper)',
  leather: 'url(#leather)',
  ball: 'url(#ball)',
  lamp: 'url(#lamp)',
} as const;

/** Mixes two colours; `share` 0 gives the first, 1 the second. */
export function mix(first: string, second: string, share: number): string {
  const channel = (colour: string, at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(first, at) * (1 - share) + channel(second, at) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export const lighter = (colour: string, share = 0.3): string => mix(colour, '#ffffff', share);
export const darker = (colour: string, share = 0.3): string => mix(colour, '#14161c', share);

const stops = (...colours: readonly string[]): string =>
  colours.map((colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`).join('');

const linear = (id: string, direction: string, content: string): string =>
  `<linearGradient id="${id}" ${direction}>${content}</linearGradient>`;

const diagonal = 'x1="0" y1="0" x2="1" y2="1"';
const upright = 'x1="0" y1="0" x2="0" y2="1"';

/** The gradients and the shadow of one drawing, as the content of `<defs>`. */
export function definitions({ main, accent }: Look): string {
  return [
    linear('main', diagonal, stops(lighter(main, 0.32), main, darker(main, 0.28))),
    linear('accent', diagonal, stops(lighter(accent, 0.3), accent, darker(accent, 0.25))),
    linear('metal', upright, stops('#f7f9fb', '#c3cad2', '#eef1f4', '#9aa3ad', '#c9d0d7')),
    linear('steel', diagonal, stops('#dfe5ea', '#8d97a2', '#c6ced6', '#66707b')),
    linear('dark', diagonal, stops('#5a616c', '#30353d', '#1c1f25')),
    linear('wood', diagonal, stops('#d9a66b', '#b67a3f', '#8c5627')),
    linear('gold', diagonal, stops('#fbe7a6', '#d9a93b', '#f4d57c', '#a97a1c')),
    linear('glass', diagonal, stops('#eefaff', '#b9dcea', '#7fb0c6')),
    linear('paper', upright, stops('#fffdf6', '#f1e9d6')),
    linear('leather', diagonal, stops('#b0713d', '#8a5126', '#5d3416')),
    `<radialGradient id="ball" cx=".35" cy=".3" r=".8">${stops('#ffffff', lighter(main, 0.4), main, darker(main, 0.4))}</radialGradient>`,
    `<radialGradient id="lamp" cx=".5" cy=".5" r=".55">${stops('#ffffff', '#dfe7ee', '#9aa7b4', '#5f6b78')}</radialGradient>`,
    '<filter id="blur" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="16"/></filter>',
  ].join('');
}
