import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { revenueSeries, type RevenuePart } from './revenue-series.ts';

export interface RevenueDrawing {
  readonly parts: readonly RevenuePart[];
  /** The labels of the axis. */
  readonly partLabel: (part: RevenuePart) => string;
  readonly amountLabel: (sek: number) => string;
  /** The part under the pointer; undefined when the pointer left. */
  readonly onPoint: (part: RevenuePart | undefined) => void;
}

const height = 240;

/**
 * Draws into `target` and follows its width; returns a function that removes it. Colours are those at the time of the
 * call.
 */
export function drawRevenue(target: HTMLElement, drawing: RevenueDrawing): () => void {
  const { places, gross, net } = revenueSeries(drawing.parts);
  const chart = new UPlot(options(target, drawing), [places, gross, net], target);
  const follow = new ResizeObserver(() => {
    if (target.clientWidth > 0) chart.setSize({ width: target.clientWidth, height });
  });
  follow.observe(target);
  return () => {
    follow.disconnect();
    chart.destroy();
  };
}

function options(target: HTMLElement, drawing: RevenueDrawing): UPlot.Options {
  const { parts, onPoint } = drawing;
  const style = getComputedStyle(target);
  const colour = (token: string): string => style.getPropertyValue(token).trim();
  const bars = UPlot.paths.bars?.({ size: [0.62, 44] });
  const bar = (token: string): UPlot.Series => ({
    fill: colour(token),
    stroke: colour(token),
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  });
  return {
    width: Math.max(target.clientWidth, 200),
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: false, range: () => [-0.6, parts.length - 0.4] },
      y: { range: (_, __, max) => [0, Math.max(max * 1.08, 1)] },
    },
    series: [{}, bar('--series-2'), bar('--series-1')],
    axes: axes(drawing, { ink: colour('--muted'), line: colour('--line'), font: `12px ${style.fontFamily}` }),
    hooks: {
      setCursor: [
        ({ cursor: { idx } }) => {
          onPoint(idx == null ? undefined : parts[idx]);
        },
      ],
    },
  };
}

interface AxisLook {
  readonly ink: string;
  readonly line: string;
  readonly font: string;
}

function axes({ parts, partLabel, amountLabel }: RevenueDrawing, { ink, line, font }: AxisLook): UPlot.Axis[] {
  const widthOf = (words: readonly string[] | null): number =>
    24 + 6.5 * Math.max(0, ...(words ?? []).map((word) => word.length));
  const labels = parts.map(partLabel);
  return [
    {
      stroke: ink,
      font,
      size: 28,
      space: Math.max(44, widthOf(labels) - 10),
      incrs: [1, 2, 3, 4, 6, 7, 10, 14, 15, 30],
      grid: { show: false },
      ticks: { show: false },
      values: (_, splits) => splits.map((place) => labels[place] ?? ''),
    },
    {
      stroke: ink,
      font,
      size: (_, values) => widthOf(values),
      space: 40,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      values: (_, splits) => splits.map(amountLabel),
    },
  ];
}
