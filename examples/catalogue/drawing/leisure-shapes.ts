import { darker, lighter, paint, type Shape } from './paints.ts';
import { around, circle, group, line, path, rect, repeat, shine, text } from './svg.ts';

const ski = (label: string): string =>
  path('M-22,-300 Q0,-340 22,-300 L28,250 Q0,266 -28,250Z', paint.main) +
  rect([-26, -30, 52, 70], paint.dark, 'rx="8"') +
  rect([-20, 36, 40, 60], paint.steel, 'rx="6"') +
  repeat(3, (i) =>
    path(`M-22,${-230 + i * 44} L22,${-250 + i * 44} V${-236 + i * 44} L-22,${-216 + i * 44}Z`, '#ffffff'),
  ) +
  group('translate(0,170) rotate(-90)', text(label, [0, 8, 24], '#ffffff'));
export const skis: Shape = ({ label }) =>
  group('rotate(62) translate(-46,20) scale(.98)', ski(label)) +
  group('rotate(56) translate(46,16) scale(.98)', ski(label));

export const tent: Shape = ({ main, label }) =>
  [
    path('M-300,190 Q-240,-20 -60,-130 Q90,-180 190,-60 Q270,40 300,190Z', paint.main) +
      path('M-60,-130 Q-190,20 -190,190 H70 Q60,0 -60,-130Z', lighter(main, 0.18)) +
      path('M-70,-60 Q-130,60 -130,190 H10 Q0,60 -70,-60Z', darker(main, 0.55)) +
      path('M-70,-60 Q-96,60 -60,190 H-130 Q-130,60 -70,-60Z', paint.accent),
    line('M-60,-130 Q-190,20 -190,190 M-60,-130 Q60,0 70,190 M120,-140 Q190,10 200,190', '#3f464d', 6) +
      line('M-300,190 L-330,210 M300,190 L330,210 M-60,-130 L-260,-60', '#e7d6a3', 4) +
      text(label, [140, 110, 26], '#ffffff') +
      shine('M96,-140 Q160,-110 196,-40 Q150,-90 92,-106Z'),
    repeat(9, (i) => line(`M${-280 + i * 72},204 q4,-26 12,-34 M${-274 + i * 72},204 q8,-14 18,-20`, '#6f9a55', 4)),
  ].join('');

export const floorball: Shape = ({ label }) =>
  [
    line('M-250,-210 L150,110', 'url(#main)', 22) +
      line('M-250,-210 L-120,-106', '#22262c', 30) +
      repeat(6, (i) => line(`M${-238 + i * 20},${-206 + i * 16} l10,-10`, '#59616b', 5)),
    path('M126,84 Q180,100 250,80 Q290,90 280,130 Q220,190 140,150Z', paint.accent) +
      repeat(5, (i) => path(`M${160 + i * 22},112 l-6,36 h10 l6,-36Z`, '#ffffff88')) +
      group('translate(-60,-58) rotate(39)', text(label, [0, 7, 20], '#ffffff')),
    [
      [-180, 130, 0],
      [-90, 160, 1],
      [-30, 96, 2],
    ]
      .map(([x = 0, y = 0, k = 0]) =>
        group(
          `translate(${x},${y})`,
          circle([0, 0, 44], ['#ffffff', '#ffd54a', '#7fd3c0'][k] ?? '#fff'),
          circle([0, 0, 44], 'none', 'stroke="#00000022" stroke-width="4"'),
          around(6, circle([0, -25, 7], '#00000044')),
          circle([0, 0, 7], '#00000044'),
        ),
      )
      .join(''),
  ].join('');

export const kayakPaddle: Shape = ({ label }) =>
  group(
    'rotate(-24)',
    line('M-210,0 H210', '#23272d', 17) +
      line('M-200,-4 H200', '#5b646e', 4) +
      rect([-30, -15, 60, 30], paint.accent, 'rx="10"'),
    path('M-196,-12 Q-240,-70 -330,-56 Q-372,-20 -352,32 Q-270,56 -196,12Z', paint.main),
    path('M196,-12 Q240,-56 330,-40 Q372,0 352,46 Q270,70 196,12Z', paint.main),
    line('M-330,-10 L-200,0 M330,4 L200,0', '#ffffff66', 5) +
      text(label, [270, 22, 24], '#ffffff') +
      text(label, [-276, 12, 24], '#ffffff'),
  );

export const phone: Shape = ({ main }) =>
  [
    group(
      'translate(110,10) rotate(9)',
      rect([-104, -220, 208, 420], paint.main, 'rx="36"'),
      rect([-88, -204, 92, 96], darker(main, 0.2), 'rx="24"'),
      circle([-58, -174, 21], '#15181d'),
      circle([-58, -174, 10], '#33465c'),
      circle([-26, -138, 21], '#15181d'),
      circle([-26, -138, 10], '#33465c'),
      circle([-24, -176, 7], '#fff6d8'),
    ),
    group(
      'translate(-90,0) rotate(-6)',
      rect([-108, -224, 216, 432], '#1a1d22', 'rx="38"') + rect([-96, -212, 192, 408], paint.accent, 'rx="28"'),
      circle([-30, -60, 120], '#ffffff', 'opacity=".12"') + circle([60, 90, 100], '#ffffff', 'opacity=".14"'),
      rect([-40, -204, 80, 20], '#1a1d22', 'rx="10"'),
      text('09:41', [0, -110, 52], '#ffffff', 'font-weight="normal"') +
        text('fredag 14 mars', [0, -78, 18], '#ffffffcc', ''),
      repeat(4, (i) =>
        rect([-80 + i * 42, 142, 34, 34], ['#ffffffdd', '#ffd25e', '#7fe0b2', '#ff9a8b'][i] ?? '#fff', 'rx="9"'),
      ),
      shine('M-90,-200 H20 L-60,190 H-90Z', 0.12),
    ),
  ].join('');

export const headphones: Shape = ({ main, label }) =>
  [
    path('M-190,60 Q-210,-220 0,-226 Q210,-220 190,60', 'none', 'stroke="url(#main)" stroke-width="34"') +
      path(
        'M-130,-150 Q-70,-208 0,-208 Q70,-208 130,-150',
        'none',
        `stroke="${lighter(main, 0.25)}" stroke-width="15" stroke-linecap="round"`,
      ),
    rect([-262, 0, 110, 184], paint.main, 'rx="52"') +
      rect([-182, 10, 60, 164], '#2a2e34', 'rx="28"') +
      rect([152, 0, 110, 184], paint.main, 'rx="52"') +
      rect([122, 10, 60, 164], '#2a2e34', 'rx="28"'),
    circle([-218, 92, 30], paint.accent, 'opacity=".9"') +
      circle([218, 92, 30], paint.accent, 'opacity=".9"') +
      text(label, [218, 98, 15], '#ffffff') +
      shine('M-244,40 Q-250,20 -220,10 Q-228,80 -236,140 Q-250,100 -244,40Z'),
  ].join('');

export const camera: Shape = ({ label }) =>
  [
    path('M-110,-130 L-80,-196 H80 L110,-130Z', paint.dark) +
      rect([-270, -140, 540, 310], paint.dark, 'rx="34"') +
      rect([-270, -80, 540, 170], paint.main, 'opacity=".9"') +
      repeat(40, (i) => circle([-262 + ((i * 53) % 530), -74 + ((i * 29) % 158), 2.5], '#00000055')),
    circle([20, 10, 150], paint.steel) +
      circle([20, 10, 134], '#16191d') +
      circle([20, 10, 104], '#262b33') +
      circle([20, 10, 84], '#0f1a2c') +
      circle([20, 10, 66], paint.glass, 'opacity=".55"') +
      circle([-6, -20, 22], '#ffffff', 'opacity=".75"') +
      circle([52, 42, 12], '#b48cff', 'opacity=".6"'),
    group('translate(20,10)', around(36, rect([-2, -148, 4, 12], '#4b535d'))) +
      rect([-236, -176, 70, 40], paint.steel, 'rx="8"') +
      circle([200, -150, 34], paint.steel) +
      circle([216, -104, 9], '#e0444a') +
      text(label, [0, -148, 26], '#f1f2f3') +
      text('35 mm', [20, 124, 16], '#cdd4da', ''),
  ].join('');

export const speaker: Shape = ({ label }) =>
  [
    rect([-260, -120, 520, 300], paint.wood, 'rx="40"') +
      repeat(6, (i) => line(`M-250,${-96 + i * 50} Q0,${-80 + i * 46} 250,${-100 + i * 50}`, '#6b3f1a44', 4)) +
      rect([-232, -92, 464, 244], paint.main, 'rx="26"'),
    repeat(9, (row) => repeat(18, (i) => circle([-214 + i * 25 + (row % 2) * 6, -74 + row * 26, 4], '#00000030'))) +
      rect([-60, 100, 120, 34], paint.gold, 'rx="6"') +
      text(label, [0, 124, 20], '#46320f'),
    path('M-150,-120 Q-140,-190 0,-190 Q140,-190 150,-120', 'none', 'stroke="url(#leather)" stroke-width="22"') +
      rect([-230, 176, 50, 24], paint.dark, 'rx="6"') +
      rect([180, 176, 50, 24], paint.dark, 'rx="6"'),
  ].join('');

export const laptop: Shape = ({ accent }) =>
  [
    rect([-226, -200, 452, 300], '#24282e', 'rx="18"') +
      rect([-208, -184, 416, 262], '#10233a') +
      path('M-208,78 V-30 Q-90,-120 0,-40 Q100,50 208,-60 V78Z', accent, 'opacity=".75"') +
      path('M-208,78 V20 Q-60,-40 60,30 Q140,70 208,20 V78Z', '#ffffff', 'opacity=".25"') +
      rect([-180, -160, 150, 86], '#ffffff', 'rx="8" opacity=".9"'),
    repeat(4, (i) => rect([-166, -146 + i * 17, 120 - i * 22, 7], '#9fb2c6', 'rx="3"')) +
      path('M-250,100 H250 L300,176 Q302,196 280,198 H-280 Q-302,196 -300,176Z', paint.metal) +
      path('M-222,108 H222 L246,146 H-246Z', '#30363d') +
      repeat(3, (row) =>
        repeat(15, (i) => rect([-216 - row * 7 + i * (29 + row), 112 + row * 11, 24, 7], '#5b646e', 'rx="2"')),
      ),
    path('M-70,154 H70 L80,186 H-80Z', '#aeb7bf') + shine('M-208,-184 H60 L-60,78 H-208Z', 0.09),
  ].join('');

export const mechanicalKeyboard: Shape = ({ main, accent }) =>
  group(
    'rotate(-7)',
    rect([-292, -120, 584, 246], paint.main, 'rx="26"') + rect([-274, -102, 548, 204], darker(main, 0.4), 'rx="16"'),
    repeat(4, (row) =>
      repeat(13, (i) => {
        const colour = i === 0 || i === 12 ? accent : '#f0ece2';
        return (
          rect([-266 + i * 41, -94 + row * 38, 37, 34], darker(colour, 0.22), 'rx="7"') +
          rect([-262 + i * 41, -93 + row * 38, 29, 25], colour, 'rx="6"')
        );
      }),
    ),
    rect([-266, 58, 78, 34], darker(accent, 0.2), 'rx="7"') +
      rect([-150, 58, 290, 34], '#d5d0c4', 'rx="7"') +
      rect([-146, 59, 282, 25], '#f7f4ec', 'rx="6"') +
      rect([178, 58, 86, 34], darker(accent, 0.2), 'rx="7"'),
    ...['Q', 'W', 'E', 'R', 'T', 'Y', 'U', 'I', 'O', 'P', 'Å'].map((key, i) =>
      text(key, [-206 + i * 41, -36, 16], '#5a554c'),
    ),
    ...['A', 'S', 'D', 'F', 'G', 'H', 'J', 'K', 'L', 'Ö', 'Ä'].map((key, i) =>
      text(key, [-206 + i * 41, 2, 16], '#5a554c'),
    ),
  );

export const monitor: Shape = ({ accent, main }) =>
  [
    rect([-290, -220, 580, 340], '#1d2126', 'rx="14"') +
      rect([-276, -206, 552, 304], paint.main) +
      circle([120, -80, 90], accent, 'opacity=".85"') +
      path('M-276,98 V20 L-140,-80 L-40,10 L60,-60 L276,70 V98Z', darker(main, 0.4)) +
      path('M-276,98 V60 L-120,0 L40,70 L160,20 L276,98Z', darker(main, 0.6)),
    path('M-36,120 H36 L48,180 H-48Z', paint.steel) +
      rect([-130, 176, 260, 22], paint.metal, 'rx="10"') +
      circle([256, 109, 4], '#6ff0a5') +
      shine('M-276,-206 H40 L-140,98 H-276Z', 0.08),
  ].join('');

export const homeServer: Shape = ({ accent, label }) =>
  [
    path('M120,-200 L210,-160 V180 L120,200Z', '#15181c') +
      rect([-190, -200, 316, 400], paint.dark, 'rx="16"') +
      repeat(
        4,
        (i) =>
          rect([-164, -170 + i * 68, 264, 56], '#171a1f', 'rx="8"') +
          rect([-150, -158 + i * 68, 170, 32], '#2b3037', 'rx="5"') +
          circle([60, -142 + i * 68, 6], i === 3 ? '#f2b84b' : '#6ff0a5') +
          rect([76, -152 + i * 68, 12, 20], accent, 'rx="3"'),
      ),
    text(label, [-96, 154, 24], '#e6e9ec') +
      circle([70, 146, 20], '#0f1114') +
      circle([70, 146, 13], 'none', `stroke="${accent}" stroke-width="4"`) +
      repeat(14, (i) => line(`M-40,${128 + (i % 7) * 8} h70`, '#3b424b', 2)) +
      shine('M-180,-190 H-120 V190 H-180Z', 0.08),
  ].join('');
