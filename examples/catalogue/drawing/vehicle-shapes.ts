import { darker, lighter, paint, type Shape } from './paints.ts';
import { around, circle, group, line, path, rect, repeat, shine, text } from './svg.ts';

const wheel = (x: number, y: number, r: number): string =>
  group(
    `translate(${x},${y})`,
    circle([0, 0, r], '#1d2025'),
    circle([0, 0, r * 0.94], '#2d3138'),
    circle([0, 0, r * 0.62], paint.metal),
    around(6, rect([-r * 0.07, -r * 0.56, r * 0.14, r * 0.44], '#7b858f', 'rx="3"')),
    circle([0, 0, r * 0.17], '#4e5761'),
  );

const plate = (x: number, y: number, label: string): string =>
  rect([x - 34, y, 68, 17], '#fbfbf8', 'rx="3" stroke="#9aa1a8" stroke-width="1"') +
  rect([x - 34, y, 9, 17], '#2456a5', 'rx="2"') +
  text(label, [x + 5, y + 13, 12], '#20252b');

interface Bodywork {
  readonly body: string;
  readonly windows: string;
  readonly wheels: readonly [number, number];
  readonly bottom: number;
}

const car =
  ({ body, windows, wheels, bottom }: Bodywork): Shape =>
  ({ main, accent, label }) =>
    [
      path(body, paint.main) + path(windows, '#25323d') + path(windows, paint.glass, 'opacity=".55"'),
      rect([-274, bottom - 34, 548, 16], darker(main, 0.45), 'rx="6"') +
        line(`M-262,${bottom - 74} H262`, lighter(main, 0.45), 4),
      line('M4,-66 V122', darker(main, 0.4), 3) +
        rect([24, 10, 36, 9], lighter(main, 0.5), 'rx="4"') +
        rect([-96, 10, 36, 9], lighter(main, 0.5), 'rx="4"'),
      path(`M262,${bottom - 110} q26,6 24,36 l-30,2Z`, '#fff3cf') +
        path(`M-276,${bottom - 112} l24,2 l-2,40 l-24,-2Z`, '#c3262f'),
      wheel(wheels[0], bottom, 58) + wheel(wheels[1], bottom, 58),
      label === '' ? '' : plate(0, bottom - 30, label),
      shine('M-250,20 Q0,-20 262,24 L262,34 Q0,-4 -256,32Z', 0.4) + rect([258, bottom - 66, 26, 14], accent, 'rx="5"'),
    ].join('');

export const saloon = car({
  body: 'M-284,130 L-286,26 Q-284,6 -262,2 L-190,-8 L-122,-96 Q-112,-108 -94,-108 H66 Q84,-108 96,-96 L168,-10 L262,6 Q286,12 286,40 V130 Q284,146 266,146 H-268 Q-284,146 -284,130Z',
  windows: 'M-156,-12 L-104,-82 Q-98,-90 -88,-90 H-14 V-12Z M6,-90 H62 Q72,-90 80,-82 L136,-12 H6Z',
  wheels: [-172, 176],
  bottom: 142,
});
export const hatchback = car({
  body: 'M-268,130 L-272,-10 Q-266,-60 -220,-96 Q-176,-130 -110,-132 H10 Q60,-130 108,-90 L170,-26 L256,0 Q284,12 284,50 V130 Q282,146 262,146 H-252 Q-268,146 -268,130Z',
  windows: 'M-226,-22 Q-214,-84 -150,-104 Q-110,-112 -62,-112 V-20Z M-40,-112 H8 Q50,-110 84,-78 L134,-20 H-40Z',
  wheels: [-164, 176],
  bottom: 142,
});
export const estate = car({
  body: 'M-284,130 L-284,10 L-268,-94 Q-262,-114 -240,-116 H40 Q66,-114 86,-96 L164,-16 L262,4 Q286,12 286,44 V130 Q284,146 266,146 H-268 Q-284,146 -284,130Z',
  windows:
    'M-258,-16 L-244,-84 Q-240,-96 -226,-96 H-134 V-16Z M-114,-96 H-14 V-16 H-114Z M6,-96 H36 Q54,-94 70,-80 L132,-16 H6Z',
  wheels: [-178, 176],
  bottom: 142,
});
export const van = car({
  body: 'M-288,130 V-176 Q-286,-204 -260,-206 H92 Q124,-204 144,-176 L214,-56 L270,-30 Q288,-16 288,20 V130 Q286,146 268,146 H-272 Q-288,146 -288,130Z',
  windows: 'M28,-168 H92 Q108,-166 118,-150 L168,-60 H28Z',
  wheels: [-186, 182],
  bottom: 142,
});

const spokedWheel = (x: number): string =>
  group(
    `translate(${x},92)`,
    circle([0, 0, 104], 'none', 'stroke="#202429" stroke-width="22"'),
    circle([0, 0, 90], 'none', 'stroke="#d4dae0" stroke-width="7"'),
    around(18, line('M0,-14 L10,-88', '#b9c1c9', 2)),
    circle([0, 0, 18], paint.steel),
  );

export const moped: Shape = ({ main, label }) =>
  [
    spokedWheel(-190) + spokedWheel(190),
    path('M-296,44 Q-240,-34 -126,-14 L-140,6 Q-230,-4 -270,60Z', paint.main) +
      path('M96,40 Q170,-40 276,20 L264,36 Q180,-8 116,60Z', paint.main),
    line('M190,92 L132,-150', '#c8cfd6', 17) +
      line('M128,-156 L70,-184 M132,-150 L176,-176', '#3a4048', 12) +
      circle([164, -110, 36], paint.metal) +
      circle([174, -110, 26], '#fff4cf'),
    path('M-146,-60 Q-20,-10 120,-110 L134,-72 Q60,0 50,60 L-60,74 Q-130,40 -146,-60Z', paint.main) +
      path('M-20,-44 Q40,-110 116,-104 Q80,-30 10,-22Z', lighter(main, 0.35)),
    path('M-230,-78 Q-120,-110 -26,-74 Q-20,-52 -44,-46 Q-140,-60 -222,-52Z', paint.leather),
    rect([-70, 54, 130, 84], paint.steel, 'rx="14"') +
      repeat(5, (i) => line(`M-60,${66 + i * 15} h110`, '#59626c', 4)) +
      circle([-6, 128, 30], paint.dark),
    line('M-50,132 Q-150,150 -280,134', '#d5dbe0', 17) +
      line('M-190,92 L-80,76', '#3f464e', 10) +
      text(label, [48, -60, 22], darker(main, 0.55)),
    line('M0,130 l-26,62 h-30', '#4b535c', 9),
  ].join('');

const tyre = (x: number): string =>
  group(
    `translate(${x},66)`,
    circle([0, 0, 122], 'none', 'stroke="#1c1f24" stroke-width="22"'),
    circle([0, 0, 108], 'none', 'stroke="#7a848e" stroke-width="5"'),
    around(24, line('M0,-12 L8,-106', '#aeb7c0', 1.6)),
    circle([0, 0, 15], paint.steel),
  );

export const bicycle: Shape = ({ accent, label }) =>
  [
    tyre(-176) + tyre(176),
    line('M-176,66 L-96,-104 M-176,66 L-26,74', '#2b3036', 11),
    line('M-26,74 L-104,-130 M-26,74 L112,-94 L-92,-98', 'url(#main)', 19) +
      line('M-92,-98 L112,-96.5', 'url(#main)', 18),
    line('M176,66 L122,-130', '#23272c', 18) +
      line('M116,-150 L124,-128 M96,-168 L156,-158', '#2e3339', 13) +
      path('M-160,-152 Q-100,-168 -56,-146 Q-60,-132 -90,-132 Q-140,-130 -160,-152Z', '#23272d'),
    circle([-26, 74, 36], 'none', 'stroke="#3b424a" stroke-width="9"') +
      line('M-26,74 L6,128 M-6,130 h30', '#50585f', 9) +
      line('M-26,38 L-176,52 M-26,110 L-176,80', '#59616a', 3),
    group('translate(14,-8) rotate(-50)', text(label, [0, 6, 17], accent)),
  ].join('');
