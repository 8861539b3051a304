import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { useWidth } from '../plots/width.ts';
import type { Day } from './units-by-day.ts';
import styles from './usage-plots.module.css';

interface UsageByDayProps {
  readonly days: readonly Day[];
  readonly actions: readonly string[];
  readonly summary: string;
}

const HEIGHT = 200;
const MARGIN = { top: 8, right: 8, bottom: 28, left: 40 };
const LABEL_PX = 56;
const MOST_DAY_PX = 72;
const DAY_LABEL = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A negative sum, from reversals, is drawn as 0. */
export function UsageByDay({ days, actions, summary }: UsageByDayProps) {
  const [plot, width] = useWidth<HTMLDivElement>();
  const inner = { width: Math.max(0, width - MARGIN.left - MARGIN.right), height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const most = Math.max(1, ...days.map(heightOf));
  const x = scaleBand({
    domain: days.map(({ day }) => day),
    range: [0, Math.min(inner.width, days.length * MOST_DAY_PX)],
    padding: 0.25,
  });
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: true });
  const color = (action: string) => `var(--usage-${action.replaceAll('_', '-')})`;
  return (
    <div ref={plot} className={styles.plot}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={summary}>
          <g transform={`translate(${MARGIN.left},${MARGIN.top})`}>
            <BarStack<Row, string>
              data={days.map(rowOf)}
              keys={[...actions]}
              x={({ day }) => day as string}
              xScale={x}
              yScale={y}
              color={color}
            >
              {(stacks) =>
                stacks.flatMap(({ bars, key }) =>
                  bars.map((bar) => (
                    <rect
                      key={`${key} ${bar.index}`}
                      x={bar.x}
                      y={bar.y}
                      width={bar.width}
                      height={Math.max(0, bar.height)}
                      fill={bar.color}
                    />
                  )),
                )
              }
            </BarStack>
            <AxisLeft
              scale={y}
              tickValues={ticks(most, y)}
              tickFormat={String}
              hideTicks
              axisClassName={styles.axis ?? ''}
            />
            <AxisBottom
              scale={x}
              top={inner.height}
              tickValues={spread(days, Math.max(1, Math.floor(inner.width / LABEL_PX)))}
              tickFormat={(day) => DAY_LABEL.format(new Date(`${day}T00:00:00Z`))}
              hideTicks
              axisClassName={styles.axis ?? ''}
            />
          </g>
        </svg>
      )}
    </div>
  );
}

type Row = { readonly day: string } & { readonly [action: string]: number | string };

function rowOf({ day, byAction }: Day): Row {
  return {
    ...Object.fromEntries(Object.entries(byAction).map(([action, units]) => [action, Math.max(0, units)])),
    day,
  };
}

function heightOf({ byAction }: Day): number {
  return Object.values(byAction).reduce((sum, units) => sum + Math.max(0, units), 0);
}

function ticks(most: number, y: { ticks(count: number): number[] }): number[] {
  return y.ticks(Math.min(4, most)).filter(Number.isInteger);
}

function spread(days: readonly Day[], count: number): string[] {
  const step = Math.ceil(days.length / count);
  return days.filter((_, at) => (days.length - 1 - at) % step === 0).map(({ day }) => day);
}
