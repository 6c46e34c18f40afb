import { darker, lighter, paint, type Shape } from './paints.ts';
import { circle, group, line, oval, path, rect, repeat, shine, text } from './svg.ts';

export const perfume: Shape = ({ label }) =>
  [
    rect([-52, -250, 104, 104], paint.dark, 'rx="12"') +
      rect([-40, -150, 80, 26], paint.gold) +
      path(
        'M-150,-110 Q-150,-130 -120,-130 H120 Q150,-130 150,-110 V170 Q150,200 116,200 H-116 Q-150,200 -150,170Z',
        paint.glass,
      ),
    path('M-130,-40 H130 V160 Q130,180 106,180 H-106 Q-130,180 -130,160Z', paint.main, 'opacity=".78"') +
      rect([-86, 0, 172, 110], '#fffdf7', 'rx="4"') +
      text(label, [0, 52, 32], '#3b3530', 'style="font-family:DejaVu Serif"') +
      text('eau de parfum · 50 ml', [0, 84, 13], '#847a6e', ''),
    shine('M-134,-110 H-104 V176 H-126Z', 0.5) + shine('M108,-100 H122 V160 H108Z', 0.4),
  ].join('');

const jar = (label: string): string =>
  rect([-96, -40, 192, 150], paint.main, 'rx="20"') +
  rect([-104, -90, 208, 62], paint.gold, 'rx="12"') +
  rect([-96, 0, 192, 70], '#fffaf0') +
  text(label, [0, 32, 24], '#6b4a1c') +
  text('havtorn · 50 ml', [0, 56, 14], '#9b8156', '') +
  shine('M-88,-30 H-66 V100 H-80Z', 0.4);
export const creamJars: Shape = ({ label }) =>
  group('translate(0,-66)', jar(label)) +
  group('translate(-130,84)', jar(label)) +
  group('translate(130,84)', jar(label));

export const shavingSet: Shape = () =>
  [
    path('M-270,80 H-30 Q-40,200 -150,200 Q-260,200 -270,80Z', paint.metal) +
      oval([-150, 80, 120, 26], '#e9edf0') +
      oval([-150, 82, 100, 18], '#ffffff') +
      repeat(5, (i) => circle([-210 + i * 30, 72 - (i % 2) * 10, 20], '#ffffff')),
    path('M30,-210 Q90,-250 150,-210 L130,-80 H50Z', '#e9dfcd') +
      repeat(9, (i) => line(`M${38 + i * 13},-206 L${56 + i * 8},-86`, '#cdbfa5', 2)) +
      rect([46, -90, 88, 34], paint.metal, 'rx="8"') +
      path('M56,-56 H124 Q150,40 116,120 Q140,190 90,196 Q40,190 64,120 Q30,40 56,-56Z', paint.main),
    rect([196, -60, 26, 250], paint.metal, 'rx="12"') +
      rect([160, -110, 98, 46], paint.metal, 'rx="12"') +
      repeat(10, (i) => line(`M197,${20 + i * 16} h24`, '#79838d', 3)) +
      shine('M70,-40 H86 Q76,40 84,110 H72Z', 0.4),
  ].join('');

export const hairDryer: Shape = ({ label }) =>
  [
    path('M-40,10 L70,10 L44,190 Q20,206 -20,196Z', paint.main) +
      path('M-210,-190 Q-60,-230 120,-170 L240,-150 V-30 L120,-10 Q-60,50 -210,10 Q-270,-90 -210,-190Z', paint.main) +
      rect([236, -164, 52, 148], paint.dark, 'rx="12"'),
    circle([-166, -90, 84], paint.dark) +
      repeat(5, (i) => circle([-166, -90, 14 + i * 14], 'none', 'stroke="#7d8791" stroke-width="4"')) +
      rect([-6, 60, 34, 60], paint.dark, 'rx="10"') +
      rect([0, 70, 22, 18], paint.accent, 'rx="5"'),
    line('M14,198 Q60,240 160,190 Q230,160 280,196', '#2c3138', 11) +
      text(label, [60, -80, 30], '#ffffff') +
      shine('M-180,-176 Q-40,-206 112,-152 L110,-132 Q-40,-180 -190,-150Z'),
  ].join('');

export const tableLamp: Shape = ({ main }) =>
  [
    oval([0, -60, 260, 190], '#ffe9a8', 'opacity=".35" filter="url(#blur)"') +
      path('M-90,-236 H90 L180,-20 H-180Z', paint.paper) +
      path('M-90,-236 H90 L180,-20 H-180Z', '#ffd97a', 'opacity=".38"'),
    line('M-90,-236 H90', '#b98b3a', 7) +
      line('M-180,-20 H180', '#b98b3a', 9) +
      repeat(4, (i) => line(`M${-54 + i * 36},-232 L${-108 + i * 72},-24`, '#e8d19a', 2)),
    rect([-12, -16, 24, 120], paint.gold) +
      circle([0, 60, 34], paint.gold) +
      path('M-110,196 Q-100,120 0,104 Q100,120 110,196Z', paint.gold) +
      oval([0, 196, 112, 12], darker(main, 0.5)) +
      line('M90,196 Q180,210 240,186 Q270,176 296,192', '#5a4630', 7),
  ].join('');

export const armchair: Shape = ({ main }) =>
  [
    path('M-180,-60 Q-200,-230 -90,-240 H90 Q200,-230 180,-60 V80 H-180Z', paint.main) +
      path('M-236,-40 Q-250,-90 -200,-92 Q-150,-90 -150,-40 V120 H-228Z', paint.main) +
      path('M236,-40 Q250,-90 200,-92 Q150,-90 150,-40 V120 H228Z', darker(main, 0.08)),
    rect([-152, 20, 304, 96], paint.main, 'rx="34" stroke="#0000001c" stroke-width="4"') +
      repeat(70, (i) =>
        circle(
          [-150 + ((i * 71) % 300), -214 + ((i * 47) % 220), 6],
          i % 2 ? lighter(main, 0.45) : darker(main, 0.08),
          'opacity=".6"',
        ),
      ),
    path('M-200,116 H-160 L-176,200 H-194Z', paint.wood) +
      path('M200,116 H160 L176,200 H194Z', paint.wood) +
      path('M-190,104 H190 V126 H-190Z', paint.wood) +
      line('M-140,64 Q0,92 140,64', darker(main, 0.2), 3),
  ].join('');

export const coffeePot: Shape = ({ accent }) =>
  [
    path('M130,-60 Q260,-80 240,40 Q226,110 128,120', 'none', `stroke="${accent}" stroke-width="26"`) +
      path('M-130,-40 L-262,-130 L-284,-110 Q-240,0 -140,90Z', paint.main) +
      line('M-262,-132 L-286,-108', accent, 11),
    path('M-120,-120 H120 L164,180 Q160,200 140,200 H-140 Q-160,200 -164,180Z', paint.main) +
      path('M-110,-124 Q-96,-190 0,-196 Q96,-190 110,-124Z', paint.main) +
      circle([0, -212, 24], paint.dark) +
      line('M-120,-122 H120', accent, 15) +
      line('M-160,186 H160', accent, 17),
    line('M-120,-110 Q0,-256 120,-110', '#6b7178', 8) +
      shine('M-96,-100 H-60 L-80,170 H-130Z', 0.5) +
      circle([100, 60, 12], '#3c4148') +
      circle([96, 54, 6], '#6c737b'),
  ].join('');

const leaf = (transform: string, colour: string): string =>
  group(
    transform,
    path(
      'M0,0 Q-90,-30 -84,-120 Q-60,-190 0,-200 Q60,-190 84,-120 Q90,-30 0,0Z M-84,-110 L-34,-96 L-84,-80Z M84,-110 L34,-96 L84,-80Z M-76,-60 L-30,-58 L-66,-36Z M76,-60 L30,-58 L66,-36Z',
      colour,
      'fill-rule="evenodd"',
    ),
    line('M0,0 V-180', lighter(colour, 0.3), 4),
  );
export const pottedPlant: Shape = ({ main }) =>
  [
    line(
      'M0,60 Q-60,-20 -120,-60 M0,60 Q0,-40 0,-100 M0,60 Q70,-10 130,-40 M0,60 Q-90,30 -150,30 M0,60 Q90,40 150,40',
      '#3f6f3a',
      9,
    ),
    leaf('translate(-110,-50) rotate(-46) scale(.8)', '#2f7a45') +
      leaf('translate(120,-30) rotate(48) scale(.84)', '#2c6e40') +
      leaf('translate(0,-70) scale(.92)', '#3b8c50') +
      leaf('translate(-140,40) rotate(-84) scale(.6)', '#48995b') +
      leaf('translate(140,46) rotate(84) scale(.62)', '#398a4e') +
      leaf('translate(56,-20) rotate(20) scale(.56)', '#56a868'),
    path('M-110,60 H110 L84,190 Q82,200 70,200 H-70 Q-82,200 -84,190Z', paint.main) +
      rect([-120, 44, 240, 36], paint.main, 'rx="10"') +
      rect([-120, 74, 240, 8], darker(main, 0.3), 'opacity=".5"') +
      shine('M-96,84 H-70 L-56,190 H-72Z', 0.3),
  ].join('');

export const framedPainting: Shape = ({ main }) =>
  [
    rect([-280, -220, 560, 420], paint.wood, 'rx="6"') +
      rect([-252, -192, 504, 364], '#3d2a17') +
      '<clipPath id="canvas"><rect x="-244" y="-184" width="488" height="348"/></clipPath><g clip-path="url(#canvas)">',
    rect([-244, -184, 488, 348], paint.accent) +
      circle([96, -70, 44], '#fff0c4') +
      circle([96, -70, 70], '#fff0c4', 'opacity=".3"'),
    path('M-244,0 L-150,-100 L-86,-40 L10,-140 L96,-30 L160,-76 L244,0 V60 H-244Z', darker(main, 0.1)) +
      path('M10,-140 L40,-100 L14,-96 L-10,-80 L-26,-104Z M-150,-100 L-126,-76 L-150,-66 L-172,-78Z', '#fbf6ef') +
      path('M-244,10 L-120,-30 L20,10 L140,-20 L244,16 V70 H-244Z', main),
    rect([-244, 46, 488, 120], lighter(main, 0.35)) +
      repeat(12, (i) => line(`M${-230 + ((i * 97) % 400)},${62 + i * 8} h${40 + ((i * 37) % 70)}`, '#fff3d6aa', 4)) +
      path('M-244,110 Q-160,84 -90,164 H-244Z', darker(main, 0.5)),
    repeat(5, (i) => path(`M${-236 + i * 30},130 l14,-70 l14,70Z`, darker(main, 0.6))) +
      '</g>' +
      text('E. Berg −55', [196, 152, 15], '#2b2118', 'font-style="italic"') +
      line('M-280,-220 L-252,-192 M280,-220 L252,-192', '#5d3b1c', 3),
  ].join('');

export const stonewareVase: Shape = ({ main, accent }) =>
  [
    path(
      'M-60,-230 H60 Q66,-160 130,-80 Q170,10 120,130 Q104,190 80,200 H-80 Q-104,190 -120,130 Q-170,10 -130,-80 Q-66,-160 -60,-230Z',
      paint.main,
    ) + oval([0, -230, 62, 15], darker(main, 0.5)),
    path(
      'M-60,-226 Q0,-206 60,-226 Q66,-160 124,-86 Q110,-20 84,-60 Q60,-96 44,-30 Q26,30 4,-20 Q-16,-60 -36,0 Q-56,50 -80,-30 Q-104,-70 -126,-84 Q-66,-160 -60,-226Z',
      paint.accent,
    ) +
      line('M-136,66 Q0,104 136,66', darker(main, 0.3), 5) +
      line('M-128,96 Q0,134 128,96', accent, 4),
    shine('M-104,-60 Q-64,-120 -50,-200 L-30,-200 Q-40,-110 -80,-40 Q-110,40 -90,130 Q-140,40 -104,-60Z', 0.32),
  ].join('');

export const sailPrint: Shape = ({ main, accent, label }) =>
  [
    rect([-210, -250, 420, 470], '#fffdf8', 'stroke="#00000018" stroke-width="2"') +
      rect([-166, -206, 332, 352], mixSky(main)),
    circle([86, -130, 40], accent) +
      path('M-120,90 L-50,-150 L-40,90Z', '#ffffff') +
      path('M-20,90 L40,-110 L50,90Z', lighter(main, 0.7)) +
      path('M66,90 L112,-50 L120,90Z', '#ffffff') +
      path('M-36,90 V-140 L10,70Z', accent) +
      path('M-166,90 Q-80,70 0,92 Q90,112 166,86 V146 H-166Z', darker(main, 0.25)),
    path('M-130,92 H16 L-10,116 H-110Z', '#5b2f22') +
      path('M-24,96 H70 L54,116 H-8Z', '#3f2a36') +
      path('M62,92 H132 L118,110 H76Z', '#5b2f22') +
      text(label, [-126, 186, 17], '#6b645a', 'font-style="italic"') +
      text('A. Lund', [130, 186, 17], '#6b645a', 'font-style="italic"'),
  ].join('');
const mixSky = (main: string): string => lighter(main, 0.4);
