import { darker, lighter, paint, type Shape } from './paints.ts';
import { around, circle, group, line, oval, path, rect, repeat, shine, text } from './svg.ts';

export const drill: Shape = ({ label }) =>
  [
    path('M-190,-170 Q-210,-80 -180,-40 L60,-30 L80,-176 Q-60,-196 -190,-170Z', paint.main) +
      path('M66,-172 L150,-150 L154,-58 L54,-34Z', paint.dark),
    rect([150, -130, 52, 56], paint.steel, 'rx="8"') +
      path('M202,-118 L290,-106 V-98 L202,-86Z', paint.metal) +
      line('M214,-112 l10,16 M236,-110 l10,16 M258,-107 l9,12', '#707a84', 4),
    path('M-150,-44 L-60,-36 L-40,120 L-150,120 Q-170,40 -150,-44Z', paint.dark) +
      path('M-66,-36 Q-34,0 -52,40 L-64,40 Q-56,0 -66,-36Z', paint.accent),
    rect([-190, 116, 200, 74], paint.main, 'rx="14"') +
      rect([-176, 130, 172, 40], paint.dark, 'rx="8"') +
      text('18 V', [-90, 158, 24], '#ffffff'),
    text(label, [-66, -96, 30], '#ffffff') +
      repeat(5, (i) => line(`M${-170 + i * 14},-150 v30`, '#00000055', 5)) +
      shine('M-180,-160 Q-60,-182 64,-164 L62,-146 Q-60,-160 -184,-136Z'),
  ].join('');

export const circularSaw: Shape = ({ label }) =>
  [
    group(
      'translate(10,50)',
      circle([0, 0, 140], paint.steel),
      around(28, path('M-7,-134 L10,-158 L14,-130Z', '#8b959f')),
      circle([0, 0, 40], paint.dark),
      circle([0, 0, 14], '#cfd6dc'),
    ),
    path('M-160,40 Q-150,-116 10,-120 Q160,-116 176,40 L130,40 Q116,-66 10,-70 Q-96,-66 -110,40Z', paint.main) +
      path('M-230,96 H270 L258,122 H-220Z', paint.metal),
    path('M-250,-150 Q-130,-216 -20,-180 L30,-120 L-30,-100 Q-90,-150 -190,-116 L-214,-20 L-262,-30Z', paint.dark) +
      rect([70, -176, 130, 90], paint.main, 'rx="24"') +
      rect([190, -164, 40, 66], paint.dark, 'rx="12"'),
    text(label, [134, -122, 26], '#ffffff') +
      circle([10, -94, 14], '#f4f4f2') +
      shine('M-140,0 Q-120,-100 10,-110 Q60,-110 90,-96 Q-60,-100 -120,10Z'),
  ].join('');

export const socketSet: Shape = ({ label }) =>
  [
    path('M-280,-170 H280 L262,-20 H-262Z', darkLid) +
      rect([-280, -20, 560, 200], paint.main, 'rx="18"') +
      rect([-258, 0, 516, 160], '#23272d', 'rx="12"'),
    repeat(
      9,
      (i) =>
        circle([-218 + i * 54, 34, 24 - Math.abs(4 - i)], paint.metal) + circle([-218 + i * 54, 34, 11], '#30363d'),
    ),
    repeat(8, (i) => circle([-206 + i * 42, 88, 17], paint.metal) + circle([-206 + i * 42, 88, 8], '#30363d')),
    rect([-226, 122, 260, 20], paint.metal, 'rx="10"') +
      rect([30, 112, 90, 40], paint.dark, 'rx="16"') +
      circle([190, 108, 40], paint.steel) +
      circle([190, 108, 18], '#2d333a') +
      rect([180, 60, 20, 20], '#aab3bc'),
    text(label, [0, -80, 34], '#ffffff') + rect([-50, 158, 100, 26], paint.steel, 'rx="6"'),
  ].join('');
const darkLid = '#3a414a';

export const handPlane: Shape = ({ label }) =>
  [
    path('M-290,30 H290 V120 H-290Z', paint.wood) +
      repeat(5, (i) => line(`M-280,${46 + i * 16} Q-60,${38 + i * 18} 280,${50 + i * 15}`, '#7c4a2055', 3)),
    path('M-150,30 Q-160,-70 -110,-110 Q-70,-130 -60,-86 Q-90,-60 -76,30Z', paint.wood) +
      path('M-20,30 L40,-150 L78,-140 L44,30Z', paint.steel) +
      path('M34,30 L66,-90 L112,-70 L96,30Z', paint.wood),
    circle([190, 0, 38], paint.wood) +
      rect([176, 14, 28, 26], paint.wood) +
      rect([-290, 116, 580, 12], darker('#8c5627', 0.3)) +
      text(label, [200, 88, 22], '#5d3416'),
    shine('M-286,34 H286 V48 H-286Z', 0.25),
  ].join('');

export const wormGear: Shape = ({ label }) =>
  [
    path('M-200,190 V150 H-170 V-40 Q-150,-170 0,-176 Q150,-170 170,-40 V150 H200 V190Z', paint.main),
    circle([0, -20, 120], darker('#5f6b78', 0.1)) +
      group(
        'translate(0,-20)',
        around(20, rect([-10, -118, 20, 28], paint.gold)),
        circle([0, 0, 98], paint.gold),
        circle([0, 0, 44], paint.dark),
        circle([0, 0, 26], paint.steel),
        rect([-6, -32, 12, 16], '#30363d'),
      ),
    rect([-280, 96, 120, 46], paint.metal, 'rx="6"') +
      rect([160, 96, 60, 46], paint.steel, 'rx="6"') +
      rect([-80, 108, 160, 58], '#f2eee0', 'rx="5"') +
      text(label, [0, 146, 26], '#30363d'),
    repeat(4, (i) => circle([i < 2 ? -150 + i * 300 : -110 + (i - 2) * 220, i < 2 ? -20 : -126, 11], paint.steel)) +
      shine('M-150,-60 Q-130,-150 0,-160 Q60,-158 100,-134 Q-60,-140 -120,-40Z'),
  ].join('');

export const palletTruck: Shape = ({ main, label }) =>
  [
    path('M-296,120 H110 V92 H-280 Q-296,96 -296,120Z', darker(main, 0.25)) +
      path('M-260,140 H150 V112 H-244 Q-260,116 -260,140Z', paint.main),
    rect([96, -10, 96, 160], paint.main, 'rx="14"') +
      line('M150,0 L236,-206', '#2f353c', 20) +
      path('M190,-250 Q270,-270 288,-216 L266,-190 Q250,-226 214,-214Z', paint.dark),
    circle([144, 160, 40], '#22262b') +
      circle([144, 160, 17], paint.steel) +
      circle([-232, 168, 26], '#c8462f') +
      circle([-196, 168, 26], '#c8462f') +
      circle([-232, 168, 9], '#eee') +
      circle([-196, 168, 9], '#eee'),
    rect([112, 30, 64, 60], paint.metal, 'rx="8"') +
      text(label, [-70, 134, 20], '#ffffff') +
      shine('M104,0 H120 V140 H104Z', 0.4),
  ].join('');

export const compressor: Shape = ({ label }) =>
  [
    rect([-250, 10, 470, 150], paint.main, 'rx="75"') +
      rect([-190, -130, 170, 146], paint.dark, 'rx="18"') +
      repeat(6, (i) => rect([-204, -116 + i * 20, 198, 9], '#59616b', 'rx="4"')),
    rect([-20, -90, 170, 104], paint.steel, 'rx="26"') +
      circle([170, -40, 44], '#f6f6f2', 'stroke="#3a4149" stroke-width="9"') +
      line('M170,-40 L190,-62', '#c5282f', 6),
    line('M-105,-130 v-40 h150 v60', '#c9a24a', 11) +
      circle([-176, 172, 34], '#24282e') +
      circle([-176, 172, 14], paint.steel) +
      rect([150, 150, 30, 46], paint.dark, 'rx="6"'),
    rect([210, 40, 66, 18], paint.metal, 'rx="8"') +
      text(label, [-20, 100, 44], '#ffffff') +
      shine('M-214,30 Q0,14 190,30 L196,52 Q0,36 -232,58Z', 0.4),
  ].join('');

export const cashRegister: Shape = ({ label }) =>
  [
    rect([-210, 90, 420, 108], paint.wood, 'rx="10"') + rect([-70, 126, 140, 20], paint.gold, 'rx="10"'),
    path('M-190,90 Q-196,-60 -120,-110 H120 Q196,-60 190,90Z', paint.gold) +
      path('M-150,-110 Q-140,-236 0,-246 Q140,-236 150,-110Z', paint.gold),
    rect([-104, -206, 208, 74], '#f8f6ec', 'rx="10" stroke="#8a6a20" stroke-width="6"') +
      text(label, [0, -152, 46], '#30261a'),
    repeat(4, (row) =>
      repeat(
        6,
        (i) =>
          circle([-126 + i * 50, -60 + row * 38, 15], '#6f4f14') +
          circle([-126 + i * 50, -62 + row * 38, 13], i === 5 ? '#c0392b' : '#fbf6e6'),
      ),
    ),
    line('M206,-10 q50,-10 50,-60', '#8a6a20', 14) +
      circle([258, -82, 17], paint.wood) +
      line('M-150,-120 Q0,-90 150,-120', lighter('#d9a93b', 0.4), 5),
  ].join('');

export const guitar: Shape = ({ label }) =>
  group(
    'rotate(-32) translate(-24,52) scale(.86)',
    rect([-18, -310, 36, 250], paint.leather) +
      path('M-30,-386 L30,-386 L24,-306 H-24Z', paint.wood) +
      repeat(10, (i) => line(`M-18,${-290 + i * 22} h36`, '#e2d3b3', 2)),
    path(
      'M0,-84 Q92,-96 106,-26 Q104,20 84,42 Q140,80 138,138 Q124,226 0,226 Q-124,226 -138,138 Q-140,80 -84,42 Q-104,20 -106,-26 Q-92,-96 0,-84Z',
      paint.main,
      'stroke="#4a2a12" stroke-width="7"',
    ),
    circle([0, 36, 46], '#2a1a10') +
      circle([0, 36, 52], 'none', 'stroke="#f0dcb0" stroke-width="4"') +
      rect([-52, 128, 104, 20], '#3a2414', 'rx="7"') +
      path('M56,20 Q110,60 92,120 Q60,100 44,70Z', '#3d2213', 'opacity=".8"'),
    repeat(6, (i) => line(`M${-12.5 + i * 5},-380 V136`, '#f4f1e8', 1.3)) +
      repeat(3, (i) => circle([-36, -374 + i * 26, 8], paint.metal) + circle([36, -374 + i * 26, 8], paint.metal)),
    text(label, [0, -344, 13], '#f5e6c4') + shine('M-90,-40 Q-70,-76 -10,-76 Q-60,-40 -74,20Z', 0.3),
  );

export const synth: Shape = ({ label }) =>
  [
    path('M-280,-120 H280 L296,150 H-296Z', paint.dark) +
      rect([-300, -130, 28, 290], paint.wood, 'rx="8"') +
      rect([272, -130, 28, 290], paint.wood, 'rx="8"'),
    repeat(
      14,
      (i) =>
        circle([-230 + i * 34, -84, 12], '#15181c') +
        line(`M${-230 + i * 34},-84 l${(i % 5) * 3 - 6},-9`, '#f2f2ee', 3),
    ) +
      repeat(
        8,
        (i) =>
          rect([-236 + i * 26, -54, 6, 50], '#0d0f12') +
          rect([-242 + i * 26, -44 + ((i * 17) % 34), 18, 10], paint.accent, 'rx="3"'),
      ),
    rect([20, -56, 120, 50], '#0f1d17', 'rx="6"') +
      text('A4 440', [80, -24, 24], '#6ff0a5', 'style="font-family:DejaVu Sans Mono"') +
      text(label, [206, -22, 26], '#f2f2ee'),
    rect([-264, 10, 528, 138], '#0e1013') +
      repeat(22, (i) => rect([-262 + i * 24, 12, 22, 132], paint.paper, 'rx="3"')) +
      repeat(22, (i) => ([2, 6].includes(i % 7) ? '' : rect([-247 + i * 24, 12, 14, 80], '#1a1d22', 'rx="2"'))),
  ].join('');

export const snareDrum: Shape = ({ label }) =>
  [
    path('M-220,-70 V90 Q0,180 220,90 V-70Z', paint.main) +
      repeat(5, (i) => line(`M-216,${-40 + i * 28} Q0,${52 + i * 28} 216,${-40 + i * 28}`, '#ffffff22', 5)),
    path('M-228,64 V96 Q0,192 228,96 V64 Q0,160 -228,64Z', paint.metal) +
      oval([0, -70, 226, 82], paint.metal) +
      oval([0, -74, 206, 70], '#f7f4ea') +
      oval([0, -74, 120, 38], '#efe9da'),
    repeat(6, (i) =>
      rect([-196 + i * 75, -20 + Math.round(24 - Math.abs(2.5 - i) ** 2 * 5), 18, 90], paint.steel, 'rx="7"'),
    ) + text(label, [0, -62, 26], '#9a917c'),
    line('M-130,-120 L190,-230', '#c99b5e', 15) +
      line('M-40,-96 L270,-180', '#d8ac70', 15) +
      circle([-130, -120, 12], '#d8ac70') +
      circle([-40, -96, 12], '#e3bd86'),
  ].join('');

export const accordion: Shape = ({ main, label }) =>
  [
    path('M-110,-150 Q-60,-190 40,-160 L70,170 Q-30,200 -110,160Z', '#2a2528') +
      repeat(9, (i) =>
        path(`M${-106 + i * 19},${-156 - (i % 3) * 4} l9,-6 l14,330 l-9,6Z`, i % 2 ? '#f0e9dd' : darker(main, 0.35)),
      ),
    path('M-280,-150 Q-266,-176 -230,-176 L-110,-160 V164 L-240,180 Q-280,176 -280,150Z', paint.main) +
      path('M60,-160 L240,-190 Q276,-186 280,-150 V160 Q276,186 240,190 L72,172Z', paint.main),
    rect([190, -160, 76, 320], paint.paper, 'rx="6"') +
      repeat(13, (i) => line(`M190,${-138 + i * 24} h76`, '#b9ae98', 2)) +
      repeat(9, (i) => rect([226, -132 + i * 34, 40, 15], '#1d2025', 'rx="3"')),
    repeat(4, (col) => repeat(8, (i) => circle([-254 + col * 32, -126 + i * 36, 9], '#fbf8ef'))) +
      repeat(4, (i) => rect([84 + i * 24, -140, 16, 40], paint.gold, 'rx="4"')),
    group('translate(128,20) rotate(-90)', text(label, [0, 8, 34], '#fdf3dc')) +
      shine('M84,-150 L180,-166 V-140 L86,-126Z', 0.4),
  ].join('');
