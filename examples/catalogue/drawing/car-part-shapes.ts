import { darker, lighter, paint, type Shape } from './paints.ts';
import { around, circle, group, line, oval, path, rect, repeat, shine, text } from './svg.ts';

const bolt = (x: number, y: number): string => circle([x, y, 12], paint.steel) + circle([x, y, 5], '#4b535d');

export const headlight: Shape = ({ label }) =>
  [
    path(
      'M-290,-10 Q-262,-150 -60,-176 Q200,-190 290,-96 Q302,44 204,122 Q20,166 -160,120 Q-282,86 -290,-10Z',
      paint.dark,
    ),
    path(
      'M-268,-10 Q-240,-130 -54,-152 Q196,-166 266,-84 Q276,36 192,100 Q16,142 -150,98 Q-258,70 -268,-10Z',
      paint.glass,
    ),
    circle([-130, -20, 92], '#404852') + circle([-130, -20, 82], paint.lamp) + circle([-130, -20, 30], '#f9fdff'),
    circle([66, -32, 80], '#404852') + circle([66, -32, 70], paint.lamp) + circle([66, -32, 24], '#f9fdff'),
    path('M168,-100 Q250,-90 258,-60 Q264,20 192,84 Q150,20 168,-100Z', '#f2a23a', 'opacity=".9"'),
    repeat(9, (i) => line(`M${-230 + i * 52},${-96 - i * 5} l-6,180`, '#ffffff55', 3)),
    shine('M-246,-30 Q-210,-120 -50,-140 Q120,-150 220,-104 Q40,-120 -90,-84 Q-200,-56 -246,-30Z', 0.5),
    rect([-60, 108, 120, 28], '#f4f4f0', 'rx="4"') + text(label, [0, 129, 18], '#39414a'),
  ].join('');

export const starterMotor: Shape = ({ label }) =>
  [
    rect([-100, -152, 210, 92], paint.steel, 'rx="30"') +
      circle([-104, -106, 38], paint.dark) +
      line('M-140,-106 h-44', '#c98d3d', 14),
    rect([-210, -66, 320, 176], paint.metal, 'rx="34"') + rect([-236, -56, 66, 156], paint.dark, 'rx="28"'),
    path('M104,-150 L196,-96 L206,96 L104,112Z', paint.steel) + rect([196, -30, 60, 90], paint.dark, 'rx="8"'),
    repeat(6, (i) => rect([200, -26 + i * 15, 60, 7], '#c7ced6')),
    rect([256, 4, 40, 22], paint.metal, 'rx="6"'),
    rect([-120, -10, 160, 62], '#f3f1e8', 'rx="6"') +
      text(label, [-40, 16, 20], '#2f3740') +
      text('12 V · 1,4 kW', [-40, 42, 17], '#59616a', ''),
    bolt(128, -104) + bolt(128, 76) + shine('M-190,-58 H90 Q100,-30 90,-26 H-200Z'),
  ].join('');

export const wingMirror: Shape = () =>
  [
    path('M-270,96 Q-256,16 -150,20 L-60,40 L-66,110 L-250,150Z', paint.dark),
    path(
      'M-112,-130 Q60,-200 216,-160 Q296,-136 286,-20 Q272,110 150,136 Q-10,152 -96,120 Q-136,0 -112,-130Z',
      paint.main,
    ),
    path('M-76,-106 Q60,-162 194,-132 Q252,-112 246,-22 Q232,78 140,100 Q6,112 -64,90 Q-96,-6 -76,-106Z', '#22272e'),
    path('M-62,-94 Q62,-146 186,-118 Q236,-100 230,-24 Q216,66 134,86 Q8,98 -52,78 Q-80,-6 -62,-94Z', paint.glass),
    path('M-62,-94 Q62,-146 186,-118 Q214,-108 224,-80 Q90,-70 -70,20 Q-80,-30 -62,-94Z', '#ffffff', 'opacity=".45"'),
    path('M220,-136 Q284,-116 276,-40 L262,-42 Q262,-100 220,-136Z', '#f2a23a'),
    text('⛖', [180, 60, 26], '#7c8d97'),
  ].join('');

const disc = (): string =>
  [
    circle([0, 0, 190], paint.steel) + circle([0, 0, 178], paint.metal) + circle([0, 0, 104], '#7a848e'),
    repeat(5, (i) => circle([0, 0, 112 + i * 14], 'none', 'stroke="#8f99a3" stroke-width="1.5"')),
    around(24, circle([0, -146, 6], '#5b646e')) + circle([0, 0, 98], paint.dark) + circle([0, 0, 34], '#dfe4e8'),
    around(5, circle([0, -64, 13], '#cfd6dc')),
    shine('M-130,-120 Q-40,-190 70,-166 L20,-70 Q-30,-76 -60,-60Z', 0.4),
  ].join('');
export const brakeDiscs: Shape = () =>
  group('translate(96,-40) scale(.94)', disc()) + group('translate(-84,10)', disc());

export const alloyWheel: Shape = ({ label }) =>
  [
    circle([0, -20, 222], paint.steel) + circle([0, -20, 200], '#2b3037') + circle([0, -20, 192], '#3a414a'),
    group(
      'translate(0,-20)',
      around(
        5,
        path('M-34,-50 L-58,-196 Q-30,-206 -14,-206 L-6,-70 L6,-70 L14,-206 Q30,-206 58,-196 L34,-50Z', paint.metal),
      ),
    ),
    group(
      'translate(0,-20)',
      circle([0, 0, 76], paint.metal),
      circle([0, 0, 34], paint.dark),
      around(5, circle([0, -54, 11], '#545d67')),
      text(label, [0, 7, 19], '#e8ecef'),
    ),
    circle([0, -20, 211], 'none', 'stroke="#f6f8fa" stroke-width="5" opacity=".8"'),
    line('M142,146 q18,-16 32,-34', '#6f7882', 7),
  ].join('');

export const silencer: Shape = ({ label }) =>
  group(
    'rotate(-14)',
    line('M-280,130 Q-250,40 -190,30 L-150,26', '#a9b2bb', 40) + line('M-276,120 Q-246,36 -190,24', '#eef2f5', 8),
    path('M-170,-36 L230,-90 Q262,-30 244,46 L-160,80 Q-186,20 -170,-36Z', paint.metal),
    path('M224,-92 Q262,-30 238,48 L262,44 Q290,-26 254,-94Z', paint.dark) +
      oval([262, -24, 16, 58], '#111418') +
      oval([266, -24, 8, 34], '#3d444d'),
    path('M-60,-52 L-20,-57 L-10,66 L-50,70Z', paint.dark) +
      rect([40, -30, 130, 46], '#f5f5f2', 'rx="4" transform="rotate(-4)"'),
    group('rotate(-4)', text(label, [105, 2, 22], '#333b44')) + shine('M-160,-26 L222,-78 L226,-58 L-162,-4Z', 0.6),
  );

export const driveBelt: Shape = ({ label }) =>
  [
    oval([0, 0, 240, 150], 'none', 'stroke="#23272d" stroke-width="62"') +
      oval([0, 0, 240, 150], 'none', 'stroke="#3b424b" stroke-width="46"'),
    oval([0, 0, 214, 124], 'none', 'stroke="#15181c" stroke-width="16" stroke-dasharray="14 9"'),
    oval([0, -4, 262, 172], 'none', 'stroke="#5d6670" stroke-width="4"'),
    rect([-96, -36, 192, 72], paint.main, 'rx="10"') + text(label, [0, 8, 24], '#ffffff'),
  ].join('');

const shock = (main: string): string =>
  [
    rect([-14, -230, 28, 200], paint.metal) + circle([0, -236, 32], paint.dark) + circle([0, -236, 12], '#d6dce1'),
    rect([-36, -20, 72, 170], paint.dark, 'rx="14"') +
      circle([0, 168, 32], paint.dark) +
      circle([0, 168, 12], '#d6dce1'),
    rect([-62, -206, 124, 16], paint.steel, 'rx="8"') + rect([-62, 62, 124, 16], paint.steel, 'rx="8"'),
    repeat(
      7,
      (i) =>
        line(`M-54,${-178 + i * 35} Q0,${-150 + i * 35} 54,${-168 + i * 35}`, darker(main, 0.2), 19) +
        line(`M-52,${-180 + i * 35} Q0,${-153 + i * 35} 52,${-171 + i * 35}`, lighter(main, 0.15), 9),
    ),
  ].join('');
export const shockAbsorbers: Shape = ({ main }) =>
  group('translate(-110,0) rotate(-9)', shock(main)) + group('translate(110,0) rotate(7)', shock(main));

export const hydraulicPump: Shape = ({ label }) =>
  [
    path('M-180,-110 H120 L186,-50 V90 L130,140 H-180 Q-210,20 -180,-110Z', paint.main),
    rect([-70, -176, 90, 72], paint.steel, 'rx="8"') +
      oval([-25, -176, 45, 13], '#3d444c') +
      rect([-70, 134, 90, 46], paint.steel, 'rx="8"'),
    circle([-190, 14, 92], paint.dark) +
      circle([-190, 14, 76], paint.steel) +
      circle([-190, 14, 30], paint.dark) +
      group('translate(-190,14)', around(6, circle([0, -54, 10], '#4d555f'))),
    rect([182, -6, 80, 46], paint.metal, 'rx="6"') + rect([252, -18, 30, 70], paint.dark, 'rx="6"'),
    rect([-66, -30, 184, 86], '#f2eee0', 'rx="6"') +
      text(label, [26, 6, 24], '#30363d') +
      text('170 BAR', [26, 38, 20], '#6b6f74'),
    bolt(-150, -84) + bolt(110, -84) + bolt(-120, 118) + bolt(120, 112) + shine('M-160,-102 H112 L140,-76 H-164Z'),
  ].join('');

const tailLight = (): string =>
  [
    rect([-120, -90, 240, 180], paint.metal, 'rx="26"') + rect([-106, -76, 212, 152], '#8c1c22', 'rx="18"'),
    rect([-100, -70, 96, 140], '#d8323a', 'rx="14"') +
      rect([4, -70, 96, 66], '#f3a436', 'rx="12"') +
      rect([4, 4, 96, 66], '#f4f6f7', 'rx="12"'),
    repeat(6, (i) => line(`M-96,${-54 + i * 22} h190`, '#ffffff33', 4)) + shine('M-96,-66 H92 L70,-30 H-96Z', 0.35),
  ].join('');
export const tailLights: Shape = () =>
  group('translate(-140,-70) rotate(-5)', tailLight()) + group('translate(130,60) rotate(4)', tailLight());

export const carburettor: Shape = ({ label }) =>
  [
    path('M-60,-190 H60 V-90 H-60Z', paint.steel) +
      oval([0, -190, 60, 18], paint.metal) +
      oval([0, -190, 34, 10], '#30363d'),
    path('M-110,-100 H110 Q136,-20 104,50 H-104 Q-136,-20 -110,-100Z', paint.metal),
    circle([132, -26, 66], paint.steel) +
      circle([132, -26, 46], '#262b31') +
      rect([-222, -60, 120, 66], paint.metal, 'rx="14"') +
      rect([-240, -70, 32, 88], paint.steel, 'rx="8"'),
    path('M-92,50 H92 L74,150 Q0,184 -74,150Z', paint.steel) + circle([0, 156, 16], '#c9952f'),
    line('M-60,70 Q-190,90 -236,176', '#2a2f36', 14) +
      rect([-58, -44, 116, 54], '#ecebe4', 'rx="6"') +
      text(label, [0, -8, 26], '#39414a'),
    bolt(-84, -80) + bolt(84, -80) + bolt(-76, 34) + bolt(76, 34),
  ].join('');
