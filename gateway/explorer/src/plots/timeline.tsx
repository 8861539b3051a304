import { scaleUtc } from '@visx/scale';
import type { SupportingObservation } from '../session/client.ts';
import { dayOf } from '../words/dates.ts';
import { KINDS } from '../words/kinds.ts';
import { BottomAxis } from './axis.tsx';
import { DEMAND_CLASS_COLOURS } from './colours.ts';
import styles from './plot.module.css';
import { useWidth } from './width.ts';

const ROW = 14;
const AXIS = 22;
const MARGIN = 28;
const DAY_MS = 86_400_000;
const DAY_LABEL = new Intl.DateTimeFormat('en-CA', { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface TimelineProps {
  readonly name: string;
  readonly observations: readonly SupportingObservation[];
  readonly asOf: string;
}

/** A full circle is the event, a hollow circle its collection. */
export function Timeline({ name, observations, asOf }: TimelineProps) {
  const [figure, width] = useWidth<HTMLElement>();
  const dated = observations.filter(({ occurred_at }) => occurred_at !== null);
  if (dated.length === 0) return null;
  const height = dated.length * ROW;
  const [from, to] = intervalOf(dated, asOf);
  const scale = scaleUtc({ domain: [from, to], range: [MARGIN, Math.max(MARGIN + 1, width - MARGIN)] });
  // Labels are days, so more ticks than days would repeat a label.
  const numTicks = Math.min(
    6,
    Math.floor(width / 90),
    Math.max(1, Math.floor((to.getTime() - from.getTime()) / DAY_MS)),
  );
  return (
    <figure ref={figure} className={styles.plot}>
      {width > 0 && (
        <svg height={height + AXIS} role="img" aria-label={describe(name, dated)}>
          {dated.map((observation, index) => (
            <Event key={observation.id} observation={observation} x={scale} y={index * ROW + ROW / 2} />
          ))}
          <BottomAxis scale={scale} top={height} numTicks={numTicks} tickFormat={asDay} />
        </svg>
      )}
      <figcaption className={styles.legend} aria-hidden="true">
        <span>● happened</span>
        <span>○ collected</span>
      </figcaption>
    </figure>
  );
}

function Event({ observation, x, y }: { observation: SupportingObservation; x: (at: Date) => number; y: number }) {
  const { occurred_at, observed_at, demand_class, observed_fact } = observation;
  const colour = DEMAND_CLASS_COLOURS[demand_class];
  const [happened, collected] = [x(new Date(occurred_at ?? observed_at)), x(new Date(observed_at))];
  return (
    <g>
      <title>{observed_fact}</title>
      <line x1={happened} x2={collected} y1={y} y2={y} stroke={colour} strokeOpacity={0.5} strokeWidth={2} />
      <circle cx={collected} cy={y} r={3.5} fill="var(--color-surface-raised)" stroke={colour} strokeWidth={1.5} />
      <circle cx={happened} cy={y} r={4.5} fill={colour} />
    </g>
  );
}

function intervalOf(observations: readonly SupportingObservation[], asOf: string): [Date, Date] {
  const instants = observations.flatMap(({ occurred_at, observed_at }) => [occurred_at ?? observed_at, observed_at]);
  const times = [asOf, ...instants].map((instant) => Date.parse(instant));
  return [new Date(Math.min(...times)), new Date(Math.max(...times))];
}

function describe(name: string, observations: readonly SupportingObservation[]): string {
  const events = observations.map(
    ({ kind, occurred_at, observed_at }) =>
      `${KINDS[kind]} happened ${dayOf(occurred_at ?? observed_at)}, collected ${dayOf(observed_at)}`,
  );
  return `Timeline of ${name}: ${events.join('; ')}.`;
}

function asDay(value: unknown): string {
  return DAY_LABEL.format(new Date(Number(value)));
}
