// The few SVG elements the drawings are made of. Coordinates are in the drawing's own units: x −300…300, y −260 (top)…200 (ground).

export const rect = ([x, y, width, height]: readonly number[], fill: string, attributes = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${attributes}/>`;

export const circle = ([cx, cy, r]: readonly number[], fill: string, attributes = ''): string =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}" ${attributes}/>`;

export const oval = ([cx, cy, rx, ry]: readonly number[], fill: string, attributes = ''): string =>
  `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}" ${attributes}/>`;

export const path = (d: string, fill: string, attributes = ''): string =>
  `<path d="${d}" fill="${fill}" ${attributes}/>`;

/** An open line; `width` in drawing units. */
export const line = (d: string, stroke: string, width: number | string): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

export const group = (transform: string, ...children: readonly string[]): string =>
  `<g transform="${transform}">${children.join('')}</g>`;

/** Centred text; `x, y, size` of the baseline's middle. */
export const text = (
  content: string,
  [x, y, size]: readonly number[],
  fill: string,
  attributes = 'font-weight="bold"',
): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="middle" font-family="DejaVu Sans, sans-serif" ${attributes}>${escapeXml(content)}</text>`;

/** A soft reflection laid over a surface. */
export const shine = (d: string, opacity = 0.28): string => path(d, '#ffffff', `opacity="${opacity}"`);

export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** `count` copies turned evenly around the point 0,0 of `draw`. */
export const around = (count: number, element: string): string =>
  repeat(count, (index) => group(`rotate(${(360 / count) * index})`, element));

export function escapeXml(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
