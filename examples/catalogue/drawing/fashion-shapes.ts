import { darker, lighter, paint, type Look, type Shape } from './paints.ts';
import { around, circle, group, line, oval, path, rect, repeat, shine, text } from './svg.ts';

const hanger = line('M0,-244 q-2,-26 18,-26 q22,2 18,22 q-4,18 -36,26 L-110,-160 M0,-222 L110,-160', '#8b6a45', 9);

export const coat: Shape = ({ main }) =>
  [
    hanger +
      path(
        'M-60,-206 L60,-206 L150,-160 L230,90 L172,112 L132,-30 L150,200 H-150 L-132,-30 L-172,112 L-230,90 L-150,-160Z',
        paint.main,
      ),
    path('M-56,-206 L0,-60 L-36,-20 L-96,-120Z', lighter(main, 0.22)) +
      path('M56,-206 L0,-60 L36,-20 L96,-120Z', darker(main, 0.16)) +
      line('M6,-56 L10,198', darker(main, 0.35), 4),
    repeat(
      3,
      (i) =>
        circle([-38, 6 + i * 56, 12], '#4a2f1b') +
        circle([50, 6 + i * 56, 12], '#4a2f1b') +
        circle([-40, 4 + i * 56, 4], '#a98a66') +
        circle([48, 4 + i * 56, 4], '#a98a66'),
    ),
    line('M-116,92 l60,-10 M116,92 l-60,-10', darker(main, 0.4), 7) +
      line('M-132,-30 L-118,190 M132,-30 L118,190', darker(main, 0.22), 3) +
      shine('M-140,-146 L-100,-170 L-120,190 H-142 L-126,-30Z', 0.16),
  ].join('');

const boot = (): string =>
  [
    path('M-70,-190 H60 L66,40 Q150,60 176,110 L178,150 H-80 Q-96,0 -70,-190Z', paint.main) +
      path('M-84,146 H182 V176 Q180,186 166,186 H-70 Q-84,184 -84,170Z', '#3c2b1f'),
    path('M60,40 Q150,60 176,110 L176,124 Q90,110 50,130Z', '#00000022') +
      path('M20,-184 H58 L64,40 L36,60Z', '#00000033'),
    repeat(
      7,
      (i) =>
        line(`M16,${-160 + i * 30} L62,${-150 + i * 30}`, '#e8c98d', 6) + circle([14, -160 + i * 30, 5], paint.gold),
    ) +
      line('M-60,-186 h100', '#f2d9ae', 6) +
      shine('M-60,-170 H-36 L-40,120 H-74Z', 0.2),
  ].join('');
export const boots: Shape = () => group('translate(110,-6) scale(.92)', boot()) + group('translate(-120,12)', boot());

export const dress: Shape = ({ main, accent }) =>
  [
    hanger +
      path(
        'M-74,-200 L-44,-206 Q0,-150 44,-206 L74,-200 L96,-110 L66,-96 L64,-20 Q150,80 190,200 Q0,226 -190,200 Q-150,80 -64,-20 L-66,-96 L-96,-110Z',
        paint.main,
      ),
    repeat(26, (i) =>
      group(
        `translate(${-128 + ((i * 83) % 256)},${-110 + ((i * 137) % 290)}) scale(${Math.abs(-128 + ((i * 83) % 256)) < 46 || -110 + ((i * 137) % 290) > 60 ? 1 : 0})`,
        around(5, oval([0, -9, 5, 8], '#fff8ee')),
        circle([0, 0, 5], accent),
      ),
    ),
    path('M-64,-22 Q0,0 64,-22 L64,4 Q0,26 -66,4Z', paint.accent) +
      line('M20,8 q20,50 4,90 M26,8 q46,40 40,80', accent, 9),
    repeat(5, (i) => line(`M${-36 + i * 18},20 Q${-70 + i * 36},110 ${-104 + i * 54},206`, darker(main, 0.18), 3)),
  ].join('');

export const jumper: Shape = ({ main, accent }) =>
  [
    path(
      'M-60,-190 Q0,-160 60,-190 L150,-150 L262,60 L204,96 L128,-24 V170 H-128 V-24 L-204,96 L-262,60 L-150,-150Z',
      paint.main,
    ) + path('M-66,-196 Q0,-150 66,-196 L58,-172 Q0,-130 -58,-172Z', accent),
    repeat(11, (row) =>
      repeat(12, (i) => rect([-116 + i * 20 + (row % 2) * 10, -100 + row * 22, 7, 9], lighter(main, 0.75), 'rx="2"')),
    ),
    path('M-120,-140 Q0,-60 120,-140 L126,-96 Q0,-10 -126,-96Z', accent) +
      repeat(9, (i) =>
        path(`M${-104 + i * 26},${-94 + Math.round(34 - (i - 4) ** 2 * 2.2)} l9,-16 l9,16 l-9,16Z`, '#fdf6e8'),
      ),
    rect([-128, 150, 256, 34], accent, 'rx="8"') +
      group('rotate(30 -232 78)', rect([-264, 64, 66, 28], accent, 'rx="8"')) +
      group('rotate(-30 232 78)', rect([198, 64, 66, 28], accent, 'rx="8"')),
  ].join('');

export const backpack: Shape = ({ label }) =>
  [
    line('M-70,-190 Q0,-262 70,-190', '#5d3416', 18) +
      path(
        'M-170,190 Q-196,-60 -130,-170 Q-90,-206 0,-206 Q90,-206 130,-170 Q196,-60 170,190 Q0,214 -170,190Z',
        paint.main,
      ),
    path('M-160,-60 Q-140,-204 0,-206 Q140,-204 160,-60 Q80,-10 0,-10 Q-80,-10 -160,-60Z', paint.leather) +
      rect([-118, 50, 236, 124], paint.main, 'rx="20" stroke="#00000033" stroke-width="4"'),
    rect([-80, -60, 30, 150], paint.leather, 'rx="6"') +
      rect([50, -60, 30, 150], paint.leather, 'rx="6"') +
      rect([-90, 30, 50, 30], paint.gold, 'rx="6"') +
      rect([40, 30, 50, 30], paint.gold, 'rx="6"'),
    rect([-34, 98, 68, 34], paint.leather, 'rx="5"') +
      text(label, [0, 121, 15], '#f1d8ae') +
      line('M-146,-66 Q-76,-22 0,-22 Q76,-22 146,-66', '#e9c996', 3) +
      shine('M-130,-110 Q-106,-180 -20,-190 Q-90,-150 -104,-60Z', 0.2),
  ].join('');

const numeral = (index: number): string =>
  group(`rotate(${index * 30})`, rect([-4, -112, 8, index % 3 === 0 ? 30 : 17], 'currentColor', 'rx="3"'));
const watchHands = (colour: string): string =>
  line('M0,12 L-42,-52', colour, 11) +
  line('M0,14 L52,-74', colour, 8) +
  line('M-8,26 L30,-96', '#d64541', 3) +
  circle([0, 0, 9], colour);

interface WatchStyle {
  readonly case: string;
  readonly strap: string;
  readonly bezel?: 'diver';
  readonly subdials?: true;
}

/** `main` is the dial, `accent` the bezel or the marks. */
const wristwatch =
  (style: WatchStyle) =>
  ({ main, accent, label }: Look): string => {
    const ink = luminance(main) > 150 ? '#3a3326' : '#f7f8f9';
    return [
      path('M-78,-260 H78 L92,-100 H-92Z', style.strap) +
        path('M-78,220 H78 L92,60 H-92Z', style.strap) +
        repeat(3, (i) => oval([0, 190 - i * 32, 8, 10], '#00000055')),
      group(
        'translate(0,-20)',
        path('M-110,-130 H110 L130,-60 V60 L110,130 H-110 L-130,60 V-60Z', style.case),
        rect([148, -18, 34, 36], style.case, 'rx="8"'),
        circle([0, 0, 160], style.case),
      ),
      group(
        'translate(0,-20)',
        style.bezel === 'diver'
          ? circle([0, 0, 150], paint.accent) +
              around(12, rect([-3, -146, 6, 18], '#f4f5f6')) +
              path('M-11,-146 h22 l-11,20Z', '#ffe9a8')
          : circle([0, 0, 148], style.case, 'stroke="#00000030" stroke-width="4"'),
        circle([0, 0, 124], paint.main),
      ),
      `<g transform="translate(0,-20)" color="${ink}">${
        style.subdials === true
          ? [
              [-56, 0],
              [56, 0],
              [0, 58],
            ]
              .map(
                ([x = 0, y = 0]) =>
                  circle([x, y, 31], '#00000044', `stroke="${accent}" stroke-width="3"`) +
                  line(`M${x},${y} l9,-18`, ink, 4),
              )
              .join('')
          : ''
      }${repeat(12, numeral)}${text(label, [0, -52, 16], ink)}${watchHands(ink)}</g>`,
      shine('M-100,-60 Q-60,-140 30,-138 Q-50,-90 -76,30 Q-110,0 -100,-60Z', 0.2),
    ].join('');
  };
const luminance = (colour: string): number =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16) / 3, 0);

export const diverWatch: Shape = wristwatch({ case: paint.metal, strap: paint.steel, bezel: 'diver' });
export const dressWatch: Shape = wristwatch({ case: paint.gold, strap: paint.leather });
export const chronograph: Shape = wristwatch({ case: paint.dark, strap: paint.dark, subdials: true });

export const pocketWatch: Shape = ({ label }) =>
  [
    line('M0,-210 Q-90,-270 -180,-200 Q-270,-120 -240,20', '#a9b1b9', 9) +
      `<path d="M0,-210 Q-90,-270 -180,-200 Q-270,-120 -240,20" fill="none" stroke="#eef1f4" stroke-width="5" stroke-dasharray="12 9"/>`,
    circle([0, -196, 28], 'none', 'stroke="#b6bec6" stroke-width="11"') +
      rect([-18, -184, 36, 40], paint.metal, 'rx="6"') +
      circle([0, 14, 176], paint.metal) +
      circle([0, 14, 156], paint.steel) +
      circle([0, 14, 148], paint.paper),
    group(
      'translate(0,14)',
      ...['XII', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI'].map((roman, i) =>
        group(
          `rotate(${i * 30})`,
          text(roman, [0, -106, 26], '#2c2a26', 'font-weight="bold" style="font-family:DejaVu Serif"'),
        ),
      ),
      circle([0, 66, 30], 'none', 'stroke="#59544a" stroke-width="2"'),
      line('M0,66 l14,-14', '#59544a', 3),
    ),
    group(
      'translate(0,14)',
      line('M0,16 L-40,-50', '#27303e', 9),
      line('M0,16 L50,-88', '#27303e', 6),
      circle([0, 0, 9], '#27303e'),
      text(label, [0, -36, 15], '#59544a', ''),
    ) + shine('M-120,-40 Q-80,-120 20,-124 Q-60,-80 -86,40Z', 0.4),
  ].join('');

export const gemRing: Shape = ({ main }) =>
  [
    oval([0, 70, 150, 130], 'none', 'stroke="url(#gold)" stroke-width="34"') +
      oval([0, 70, 166, 146], 'none', 'stroke="#fff3c4" stroke-width="4"') +
      path('M-64,-80 L-40,-30 H40 L64,-80Z', paint.gold),
    path('M-96,-150 L-50,-204 H50 L96,-150 L0,-44Z', paint.main) +
      path('M-96,-150 H96 L0,-44Z', darker(main, 0.12)) +
      path('M-50,-204 L-30,-150 L0,-204 L30,-150 L50,-204Z', lighter(main, 0.6)) +
      path('M-30,-150 H30 L0,-44Z', lighter(main, 0.35)),
    line('M-70,-140 l24,34 M70,-140 l-24,34', '#e7bf58', 9) +
      [
        [-140, -190],
        [150, -214],
        [120, -90],
      ]
        .map(([x = 0, y = 0]) => path(`M${x},${y - 24} l6,18 l18,6 l-18,6 l-6,18 l-6,-18 l-18,-6 l18,-6Z`, '#ffffff'))
        .join(''),
  ].join('');

export const pearlNecklace: Shape = () =>
  [
    oval([0, -20, 226, 190], 'none', 'stroke="#d8c9b0" stroke-width="3"') +
      repeat(34, (i) => {
        const angle = (i / 34) * 2 * Math.PI + 0.09;
        return group(
          `translate(${Math.round(226 * Math.sin(angle))},${Math.round(-20 + 190 * Math.cos(angle))})`,
          circle([2, 4, 20], '#00000030'),
          circle([0, 0, 20], '#f3e9dc'),
          circle([-3, -4, 15], '#fbf5ec'),
          circle([-7, -8, 6], '#ffffff'),
        );
      }),
    rect([-26, -230, 52, 34], paint.metal, 'rx="12"') + circle([0, -213, 8], '#8e98a2'),
  ].join('');

const leafEarring = (): string =>
  line('M0,-210 q30,-26 28,14 q-8,40 -28,36', '#c4cbd2', 6) +
  path('M0,-160 Q90,-60 0,130 Q-90,-60 0,-160Z', paint.metal) +
  line('M0,-150 V116', '#7f8993', 4) +
  repeat(5, (i) =>
    line(`M0,${-100 + i * 42} l${34 - i * 4},-26 M0,${-100 + i * 42} l${-34 + i * 4},-26`, '#8c96a0', 3),
  );
export const leafEarrings: Shape = () =>
  group('translate(-110,20) rotate(-8)', leafEarring()) + group('translate(110,20) rotate(8)', leafEarring());

export const enamelBrooch: Shape = ({ accent }) =>
  [
    circle([0, -10, 196], paint.gold) +
      circle([0, -10, 176], '#fbf4e4') +
      group('translate(0,-10)', around(28, circle([0, -187, 7], '#fff1bd'))),
    line('M-10,130 Q-20,20 20,-60 M-4,60 Q-70,40 -90,-20', '#4d7a3c', 9) +
      path('M-30,110 Q-110,100 -130,50 Q-60,50 -20,96Z', '#6b9a52'),
    [
      [40, -70, -14],
      [-96, -6, 16],
    ]
      .map(([x = 0, y = 0, turn = 0]) =>
        group(
          `translate(${x},${y}) rotate(${turn})`,
          path(
            'M-54,-46 Q-50,-96 0,-100 Q50,-96 54,-46 L74,4 L40,-14 L22,16 L0,-8 L-22,16 L-40,-14 L-74,4Z',
            paint.main,
          ),
          circle([0, 8, 7], accent),
          shine('M-40,-50 Q-36,-80 -4,-86 Q-24,-60 -28,-14Z', 0.4),
        ),
      )
      .join(''),
  ].join('');
