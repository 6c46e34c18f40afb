import { darker, definitions, lighter, mix, type Look, type Shape } from './paints.ts';
import { circle, escapeXml, group, line, oval, path, rect, repeat, text } from './svg.ts';

/** How a thing is shown: on a studio floor, on a road, on a wall, or from above on a table. */
export type Stance = 'stand' | 'road' | 'hang' | 'flat';

export interface Drawing {
  readonly shape: Shape;
  readonly stance: Stance;
  readonly look: Look;
}

export interface SceneOptions {
  /** 1 the whole thing, 2 a close-up, 3 with a paper tag, 4 from a little further away in other light. */
  readonly view: number;
  /** Varies backdrop, light and angle; any whole number. */
  readonly seed: number;
  /** Lines of the paper tag in view 3. */
  readonly tag: readonly string[];
  /** Leaves the backdrop out (a cut-out with alpha). */
  readonly isCutOut?: boolean;
}

const widthPx = 1000;
const heightPx = 750;
const walls = [
  '#e8e2d8',
  '#dfe7ea',
  '#efe4dc',
  '#e2e8dd',
  '#e6e1ec',
  '#f1ead8',
  '#d9e4e6',
  '#ece0e0',
  '#e3e6f0',
  '#dee9e2',
] as const;

/** An SVG document of 1000 × 750 that shows the drawing. The same arguments give the same text. */
export function renderScene({ shape, stance, look }: Drawing, options: SceneOptions): string {
  const wall = mix(walls[options.seed % walls.length] ?? walls[0], look.main, 0.1);
  const content = options.isCutOut === true ? '' : backdrop(stance, { wall, ...options });
  const thing = placed(shape(look), stance, options);
  const extras = options.view === 3 ? tagCard(options.tag, options.seed) : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" width="${widthPx}" height="${heightPx}"><defs>${definitions(look)}${sceneDefinitions(wall, options.seed)}</defs>${content}${thing}${extras}</svg>`;
}

function placed(thing: string, stance: Stance, { view, seed, isCutOut }: SceneOptions): string {
  const turn = ((seed * 37) % 9) - 4;
  const lifted = isCutOut === true ? thing : `<g filter="url(#lift)">${thing}</g>`;
  const contact =
    stance === 'stand' || stance === 'road'
      ? oval([0, 200, 280, 22], '#1b1f26', 'opacity=".34" filter="url(#blur)"')
      : '';
  const product = (isCutOut === true ? '' : contact) + (stance === 'hang' || stance === 'flat' ? lifted : thing);
  const rotation = stance === 'flat' ? turn : 0;
  if (view === 2)
    return group(`translate(${460 + turn * 14},${410 + turn * 6}) rotate(${rotation + turn}) scale(1.62)`, product);
  if (view === 3) return group(`translate(365,405) rotate(${rotation}) scale(1.04)`, product);
  if (view === 4) return group(`translate(${500 + turn * 8},430) scale(-.9,.9)`, product);
  return group(`translate(500,405) rotate(${rotation}) scale(1.32)`, product);
}

interface BackdropOptions extends SceneOptions {
  readonly wall: string;
}

function backdrop(stance: Stance, options: BackdropOptions): string {
  if (stance === 'road') return roadside(options.seed + options.view);
  if (stance === 'flat') return tabletop(options);
  const glow = circle([240 + ((options.seed * 61) % 520), 240, 420], 'url(#glow)');
  if (stance === 'hang') return rect([0, 0, widthPx, heightPx], 'url(#wall)') + panelling(options.wall) + glow;
  return (
    rect([0, 0, widthPx, heightPx], 'url(#wall)') +
    glow +
    path(`M0,560 Q500,${520 + ((options.seed * 13) % 30)} 1000,560 V750 H0Z`, 'url(#floor)')
  );
}

const panelling = (wall: string): string =>
  repeat(
    9,
    (index) =>
      line(`M${60 + index * 110},0 V750`, darker(wall, 0.07), 3) +
      line(`M${63 + index * 110},0 V750`, lighter(wall, 0.35), 2),
  );

function tabletop({ seed, wall, view }: BackdropOptions): string {
  if ((seed + view) % 3 === 0) return linenCloth(wall);
  const base = ['#c9a27a', '#b98d64', '#8f7257', '#d6bd9c', '#5f646b'][(seed + view) % 5] ?? '#c9a27a';
  const planks = repeat(5, (index) =>
    rect(
      [0, index * 152, widthPx, 149],
      mix(base, index % 2 === 0 ? '#ffffff' : '#2a1c10', 0.06 + ((seed + index) % 3) * 0.03),
    ),
  );
  const grain = repeat(26, (index) =>
    line(
      `M${(index * 149) % 1000},${20 + ((index * 67) % 720)} q${60 + ((index * 31) % 90)},${-8 + (index % 5) * 4} ${150 + ((index * 43) % 160)},0`,
      darker(base, 0.16),
      2,
    ),
  );
  return (
    rect([0, 0, widthPx, heightPx], darker(base, 0.4)) +
    planks +
    `<g opacity=".5">${grain}</g>` +
    circle([300, 200, 620], 'url(#glow)')
  );
}

const linenCloth = (wall: string): string =>
  rect([0, 0, widthPx, heightPx], 'url(#wall)') +
  repeat(19, (index) => line(`M0,${index * 42} H1000`, darker(wall, 0.05), 1.5)) +
  repeat(25, (index) => line(`M${index * 42},0 V750`, darker(wall, 0.05), 1.5)) +
  path('M0,600 Q260,560 430,640 Q640,730 1000,640 V750 H0Z', darker(wall, 0.08), 'opacity=".5"') +
  circle([320, 220, 560], 'url(#glow)');

function roadside(seed: number): string {
  const sky = [
    ['#9fcbe8', '#eaf4f8'],
    ['#f4c9a2', '#fdeee0'],
    ['#b9c9d8', '#eef1f3'],
    ['#8fb9d9', '#dfeefa'],
  ][seed % 4] ?? ['#9fcbe8', '#eaf4f8'];
  const hill = ['#7fa06d', '#8a9c6a', '#6f8f7c', '#90a878'][seed % 4] ?? '#7fa06d';
  const trees = repeat(16, (index) =>
    path(
      `M${index * 66 + ((seed * 29) % 40)},430 l26,-${80 + ((index * 53 + seed * 7) % 70)} l26,${80 + ((index * 53 + seed * 7) % 70)}Z`,
      darker(hill, 0.34 + (index % 3) * 0.06),
    ),
  );
  return [
    `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0] ?? '#9fcbe8'}"/><stop offset="1" stop-color="${sky[1] ?? '#eaf4f8'}"/></linearGradient>`,
    rect([0, 0, widthPx, heightPx], 'url(#sky)') +
      circle([180 + ((seed * 170) % 640), 150, 56], '#fff7dc', 'opacity=".9"') +
      path('M0,400 Q220,310 460,380 Q700,300 1000,390 V520 H0Z', lighter(hill, 0.25)) +
      trees +
      path('M0,430 Q500,390 1000,430 V600 H0Z', hill),
    rect([0, 520, widthPx, 230], '#6d737b') +
      rect([0, 520, widthPx, 10], '#8d939a') +
      repeat(6, (index) => rect([20 + index * 180, 690, 100, 11], '#e9e6dc', 'rx="4" opacity=".8"')),
  ].join('');
}

function tagCard(lines: readonly string[], seed: number): string {
  const rows = lines.slice(0, 4).map((content, index) => {
    const size = Math.min(index === 0 ? 27 : 20, 380 / Math.max(10, content.length));
    return text(
      content,
      [0, -58 + index * 42, size],
      index === 0 ? '#2b2f36' : '#6a6256',
      index === 0 ? 'font-weight="bold"' : '',
    );
  });
  const card =
    rect([-128, -150, 256, 290], 'url(#paper)', 'rx="14"') +
    circle([0, -122, 13], '#cbbfa6') +
    circle([0, -122, 8], '#8c8371') +
    line('M0,-122 Q-40,-220 -150,-236', '#a8875c', 4) +
    rows.join('') +
    line('M-90,104 H90', '#d9cfba', 3);
  return group(`translate(812,400) rotate(${((seed * 23) % 9) - 3})`, `<g filter="url(#lift)">${card}</g>`);
}

function sceneDefinitions(wall: string, seed: number): string {
  const gradient = (id: string, from: string, to: string): string =>
    `<linearGradient id="${id}" x1="0" y1="0" x2="${(seed % 3) / 4}" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
  return [
    gradient('wall', lighter(wall, 0.45), darker(wall, 0.1)),
    gradient('floor', darker(wall, 0.12), lighter(wall, 0.12)),
    '<radialGradient id="glow"><stop offset="0" stop-color="#ffffff" stop-opacity=".6"/><stop offset="1" stop-color="#ffffff" stop-opacity="0"/></radialGradient>',
    '<filter id="lift" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="7" dy="12" stdDeviation="11" flood-color="#1b1f26" flood-opacity=".36"/></filter>',
    `<title>${escapeXml('drawn for the itembridge examples')}</title>`,
  ].join('');
}
