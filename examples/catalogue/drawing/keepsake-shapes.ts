import { darker, lighter, paint, type Shape } from './paints.ts';
import { around, circle, group, line, oval, path, rect, repeat, shine, text } from './svg.ts';

export const teddyBear: Shape = ({ main }) => {
  const light = lighter(main, 0.45);
  return [
    circle([-86, -196, 46], paint.ball) +
      circle([86, -196, 46], paint.ball) +
      circle([-86, -194, 24], light) +
      circle([86, -194, 24], light),
    oval([-150, 0, 44, 92], paint.ball, 'transform="rotate(28 -150 0)"') +
      oval([150, 0, 44, 92], paint.ball, 'transform="rotate(-28 150 0)"') +
      oval([0, 60, 132, 130], paint.ball) +
      oval([0, 76, 82, 88], light, 'opacity=".8"') +
      circle([0, -120, 116], paint.ball),
    oval([-110, 150, 62, 52], paint.ball) +
      oval([110, 150, 62, 52], paint.ball) +
      oval([-118, 156, 32, 28], light) +
      oval([118, 156, 32, 28], light) +
      oval([0, -84, 54, 42], light) +
      oval([0, -104, 20, 14], '#3b2a20') +
      line('M0,-92 V-72 Q-14,-58 -28,-66 M0,-72 Q14,-58 28,-66', '#3b2a20', 5),
    circle([-42, -140, 12], '#2a1d16') +
      circle([42, -140, 12], '#2a1d16') +
      circle([-46, -144, 4], '#fff') +
      circle([38, -144, 4], '#fff') +
      path('M0,-10 L-70,-36 V22Z M0,-10 L70,-36 V22Z', paint.accent) +
      circle([0, -8, 16], paint.accent),
  ].join('');
};

const block = (x: number, y: number, [letter, colour]: readonly [string, string]): string =>
  group(
    `translate(${x},${y})`,
    path('M-58,-58 L-34,-82 H82 L58,-58Z', lighter(colour, 0.35)) +
      path('M58,-58 L82,-82 V34 L58,58Z', darker(colour, 0.25)),
    rect([-58, -58, 116, 116], colour, 'rx="8"'),
    rect([-44, -44, 88, 88], '#fff6e3', 'rx="8"'),
    text(letter, [0, 24, 66], colour),
  );
export const woodenBlocks: Shape = ({ main, accent }) =>
  [
    block(-180, 142, ['A', main]),
    block(-50, 142, ['B', '#3f8f6b']),
    block(80, 142, ['C', accent]),
    block(210, 142, ['Ö', '#7b5aa6']),
    block(-116, 22, ['Å', '#d9a13b']),
    block(14, 22, ['Ä', main]),
    block(148, 22, ['D', '#3b7fb5']),
    block(20, -98, ['E', '#c9503f']),
  ].join('');

const trainWheel = (x: number): string =>
  circle([x, 168, 32], '#2b2f35') + circle([x, 168, 20], paint.wood) + circle([x, 168, 6], '#3a2a1a');
export const woodenTrain: Shape = ({ main, label }) =>
  [
    rect([-290, 190, 590, 14], paint.wood, 'rx="6"') +
      rect([60, -10, 190, 130], paint.main, 'rx="50"') +
      rect([-10, -130, 120, 250], paint.main, 'rx="14"') +
      rect([-26, -152, 150, 32], darker(main, 0.35), 'rx="12"') +
      rect([18, -96, 66, 66], paint.glass, 'rx="10"') +
      path('M184,-10 L176,-92 H232 L224,-10Z', paint.dark) +
      rect([-10, 116, 290, 30], darker(main, 0.4), 'rx="8"'),
    circle([250, 54, 42], paint.gold) +
      circle([250, 54, 28], '#fff4cf') +
      rect([-268, 10, 210, 112], paint.accent, 'rx="12"') +
      rect([-276, 116, 226, 28], darker(main, 0.4), 'rx="8"') +
      rect([-52, 124, 44, 10], '#777f88') +
      repeat(
        4,
        (i) =>
          circle([-236 + i * 50, 4 - (i % 2) * 14, 30], paint.wood) +
          circle([-236 + i * 50, 4 - (i % 2) * 14, 18], '#e6bd85'),
      ),
    [-230, -100, 30, 130, 226].map(trainWheel).join('') +
      text(label, [146, 66, 40], '#fff3d8') +
      [
        [208, -130, 26],
        [168, -176, 34],
        [110, -216, 26],
      ]
        .map(([x = 0, y = 0, r = 0]) => circle([x, y, r], '#ffffff', 'opacity=".8"'))
        .join(''),
  ].join('');

export const silverCoin: Shape = ({ label }) =>
  [
    group(
      'translate(70,-10)',
      circle([0, 0, 196], '#79838d'),
      circle([-4, -4, 194], paint.metal),
      circle([0, 0, 168], 'none', 'stroke="#8f99a3" stroke-width="3"'),
      around(60, circle([0, -180, 3.4], '#8b959f')),
    ),
    group(
      'translate(70,-10)',
      path('M-50,-70 L-60,-10 H60 L50,-70 L26,-36 L0,-90 L-26,-36Z', paint.steel),
      rect([-60, 0, 120, 20], paint.steel, 'rx="4"'),
      text(label, [0, 82, 54], '#626c76', 'font-weight="bold" style="font-family:DejaVu Serif"'),
      text('★ 2 KRONOR ★', [0, 124, 24], '#717b85'),
      shine('M-130,-90 Q-60,-170 60,-160 Q-50,-110 -90,20Z', 0.5),
    ),
    group(
      'translate(-190,110)',
      circle([0, 0, 92], '#79838d'),
      circle([-3, -3, 90], paint.metal),
      circle([0, 0, 74], 'none', 'stroke="#8f99a3" stroke-width="2"'),
      text('2', [0, 32, 88], '#6a747e', 'font-weight="bold" style="font-family:DejaVu Serif"'),
    ),
  ].join('');

const stamp = (index: number): string => {
  const colour = ['#b5443b', '#2f6d8f', '#4d8050', '#a9762d', '#6a4c8c', '#2d8a86'][index % 6] ?? '#444';
  const motifs = [
    circle([0, -10, 20], lighter(colour, 0.6)),
    path('M-26,20 L0,-34 L26,20Z', lighter(colour, 0.55)),
    path('M-24,6 Q0,-40 24,6 L0,22Z', lighter(colour, 0.6)),
  ];
  return (
    rect([-42, -54, 84, 108], '#fffdf5') +
    `<rect x="-42" y="-54" width="84" height="108" fill="none" stroke="#e7dfca" stroke-width="7" stroke-dasharray="1 8" stroke-linecap="round"/>` +
    rect([-32, -44, 64, 72], colour) +
    (motifs[index % 3] ?? '') +
    text(`${(index * 5) % 60 || 10} ÖRE`, [0, 44, 13], colour)
  );
};
export const stampAlbum: Shape = () =>
  [
    path('M-292,-186 Q-150,-216 0,-186 Q150,-216 292,-186 V176 Q150,150 0,180 Q-150,150 -292,176Z', paint.main) +
      path('M-276,-190 Q-150,-214 0,-184 V166 Q-150,138 -276,162Z', paint.paper) +
      path('M276,-190 Q150,-214 0,-184 V166 Q150,138 276,162Z', '#f4ecda'),
    repeat(3, (row) =>
      repeat(4, (i) =>
        group(
          `translate(${[-216, -92, 92, 216][i] ?? 0},${-124 + row * 118}) rotate(${i < 2 ? -1 : 1}) scale(.9)`,
          stamp(row * 5 + i * 2),
        ),
      ),
    ) + line('M0,-184 V166', '#c9bda1', 5),
    repeat(4, (i) => circle([-178 + i * 120, -96 + (i % 2) * 118, 34], 'none', 'stroke="#00000044" stroke-width="3"')),
  ].join('');

export const enamelSign: Shape = ({ main, accent, label }) =>
  [
    rect([-290, -210, 580, 410], darker(main, 0.35), 'rx="26"') +
      rect([-284, -206, 568, 398], paint.main, 'rx="24"') +
      rect([-258, -180, 516, 346], 'none', `rx="14" stroke="${accent}" stroke-width="9"`) +
      text(label, [0, -40, 122], accent, 'font-weight="bold" style="font-family:DejaVu Serif"'),
    path('M-70,20 H70 Q66,110 30,124 H-30 Q-66,110 -70,20Z', '#fff8ea') +
      path('M70,36 Q120,36 104,76 Q92,98 60,92', 'none', 'stroke="#fff8ea" stroke-width="13"') +
      oval([0, 20, 70, 12], '#4a2c17') +
      oval([0, 130, 100, 11], '#fff8ea') +
      line('M-24,0 q-12,-18 4,-32 M16,0 q-12,-18 4,-32', '#fff8ea', 6),
    [
      [-262, -184],
      [262, -184],
      [-262, 170],
      [262, 170],
    ]
      .map(([x = 0, y = 0]) => circle([x, y, 17], '#8a4b2a') + circle([x, y, 8], '#e9edf0'))
      .join('') + shine('M-270,-190 H60 Q-100,-120 -240,60 L-270,60Z', 0.18),
  ].join('');

/** A book with `label` as its title; lines are split at `|`. */
export const book: Shape = ({ main, accent, label }) =>
  [
    path('M-150,-230 L-186,-206 V200 L-150,214Z', darker(main, 0.45)) +
      path('M-150,214 H176 L196,196 H-140Z', '#efe6d2') +
      path('M176,-226 L196,-210 V196 L176,212Z', '#e2d7bd') +
      rect([-150, -230, 326, 444], paint.main, 'rx="6"') +
      rect([-126, -206, 278, 396], 'none', `rx="4" stroke="${accent}" stroke-width="4"`),
    ...label
      .split('|')
      .map((part, i) =>
        text(
          part,
          [13, -130 + i * 44, part.length > 11 ? 28 : 36],
          '#fff6e0',
          'font-weight="bold" style="font-family:DejaVu Serif"',
        ),
      ),
    group(
      'translate(13,80)',
      around(8, path('M0,-10 Q26,-50 0,-86 Q-26,-50 0,-10Z', accent, 'opacity=".9"')),
      circle([0, 0, 16], '#fff6e0'),
    ) + shine('M-146,-226 H-124 V210 H-146Z', 0.22),
  ].join('');

export const vinylRecord: Shape = ({ accent, label }) =>
  [
    circle([96, -6, 196], '#17191d') +
      repeat(9, (i) => circle([96, -6, 90 + i * 12], 'none', 'stroke="#2f343b" stroke-width="3"')) +
      circle([96, -6, 66], paint.accent) +
      circle([96, -6, 9], '#f4f4f0') +
      shine('M110,-190 Q200,-180 250,-110 L130,-30 Q120,-50 104,-54Z', 0.12),
    rect([-290, -212, 410, 410], paint.main, 'rx="4"') +
      circle([-130, -40, 76], accent) +
      path('M-290,120 Q-200,20 -120,80 Q-40,140 120,40 V198 H-290Z', '#1f3b3a') +
      path('M-290,160 Q-180,90 -80,130 Q20,170 120,110 V198 H-290Z', '#2e5a50') +
      repeat(7, (i) => path(`M${-276 + i * 56},150 l20,-${60 + ((i * 37) % 50)} l20,60Z`, '#16302d')),
    text(label, [-86, -158, 28], '#fff3d6', 'font-weight="bold" style="font-family:DejaVu Serif"'),
  ].join('');

export const mysteryBox: Shape = ({ label }) =>
  [
    path('M-210,-20 L-290,-96 L-120,-120 L-60,-30Z', '#c99b63') +
      path('M210,-20 L290,-96 L120,-120 L60,-30Z', '#bd8d55') +
      rect([-64, -180, 54, 170], '#2f6d8f', 'rx="4"') +
      rect([-6, -150, 44, 140], '#b5443b', 'rx="4"') +
      rect([42, -166, 34, 156], '#e3c067', 'rx="4"') +
      circle([128, -62, 60], paint.glass) +
      path('M-180,-20 Q-190,-140 -130,-150 Q-84,-140 -90,-20Z', '#e9edf0') +
      line('M-158,-100 q26,18 56,0', '#3a76b0', 6),
    path('M-210,-24 H210 L196,190 Q194,200 180,200 H-180 Q-194,200 -196,190Z', '#d2a56c') +
      path('M-210,-24 H210 L206,30 H-206Z', '#00000018') +
      text(label, [0, 108, 60], '#7a4f21') +
      line('M-96,126 Q0,140 96,122', '#7a4f21', 5) +
      rect([-40, 160, 80, 16], '#b98a50', 'rx="8"'),
  ].join('');

export const globe: Shape = ({ main, accent }) =>
  [
    path('M-70,196 Q0,150 70,196Z', paint.wood) +
      rect([-12, 130, 24, 50], paint.gold) +
      path(
        'M-120,-200 Q-250,-40 -110,120 Q0,190 110,130',
        'none',
        'stroke="url(#gold)" stroke-width="15" stroke-linecap="round"',
      ) +
      circle([0, -50, 170], paint.ball),
    path(
      'M-120,-130 Q-60,-190 10,-150 Q-10,-100 -60,-96 Q-90,-40 -130,-60 Q-140,-100 -120,-130Z M-70,-20 Q-20,-40 10,0 Q0,70 -40,90 Q-70,40 -70,-20Z M50,-140 Q120,-150 146,-80 Q110,-50 70,-66 Q40,-100 50,-140Z M60,-10 Q110,-20 120,20 Q100,60 66,46Z',
      accent,
    ),
    line(
      'M-166,-50 Q0,10 166,-50 M-140,-136 Q0,-96 140,-136 M-140,40 Q0,90 140,40 M0,-220 V120',
      lighter(main, 0.55),
      2,
    ) + shine('M-110,-120 Q-70,-190 20,-200 Q-70,-140 -90,-30 Q-130,-60 -110,-120Z', 0.4),
  ].join('');

export const suitcase: Shape = ({ main }) =>
  [
    path(
      'M-70,-150 V-190 Q-66,-206 -50,-206 H50 Q66,-206 70,-190 V-150',
      'none',
      'stroke="url(#leather)" stroke-width="22"',
    ) +
      rect([-280, -150, 560, 348], paint.main, 'rx="30"') +
      rect([-280, -10, 560, 10], darker(main, 0.4)),
    [
      [-280, -150],
      [210, -150],
      [-280, 128],
      [210, 128],
    ]
      .map(([x = 0, y = 0]) => rect([x, y, 70, 70], paint.leather, 'rx="22"'))
      .join('') +
      rect([-190, -36, 60, 60], paint.gold, 'rx="8"') +
      rect([130, -36, 60, 60], paint.gold, 'rx="8"') +
      rect([-46, -30, 92, 34], paint.leather, 'rx="8"'),
    group('translate(-110,-86) rotate(-9)', oval([0, 0, 84, 44], '#f3e6c4'), text('PARIS', [0, 11, 30], '#b5443b')) +
      group(
        'translate(120,-88) rotate(7)',
        rect([-78, -34, 156, 68], '#2f6d8f', 'rx="10"'),
        text('VISBY', [0, 11, 30], '#ffffff'),
      ) +
      group('translate(-70,96) rotate(6)', circle([0, 0, 58], '#4d8050'), text('NARVIK', [0, 8, 22], '#ffffff')) +
      group(
        'translate(100,100) rotate(-5)',
        path('M-70,-40 H70 L50,46 H-50Z', '#e3b94e'),
        text('RIGA', [0, 12, 26], '#5b3b16'),
      ),
  ].join('');
