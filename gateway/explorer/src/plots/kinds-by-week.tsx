import { scaleBand, scaleSqrt, scaleUtc } from '@visx/scale';
import type { SupportingObservation } from '../session/client.ts';
import { Table } from '../ui/table.tsx';
import { dayOf } from '../words/dates.ts';
import { KINDS } from '../words/kinds.ts';
import { count as counted } from '../words/units.ts';
import { BottomAxis } from './axis.tsx';
import { DEMAND_CLASS_COLOURS } from './colours.ts';
import { countByKindAndWeek, type KindWeek, ticksOf } from './kind-weeks.ts';
import styles from './plot.module.css';
import { useWidth } from './width.ts';

const ROW = 38;
const AXIS = 24;
const MARGIN = 20;
const DAY_LABEL = new Intl.DateTimeFormat('en-CA', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The area of a circle is proportional to the number. */
export function KindsByWeek({ observations }: { observations: readonly SupportingObservation[] }) {
  const [figure, width] = useWidth<HTMLElement>();
  const counts = countByKindAndWeek(observations);
  const undated = observations.filter(({ occurred_at }) => occurred_at === null).length;
  if (counts.length === 0) return <p>No observation has an event date.</p>;
  return (
    <figure ref={figure} className={styles.plot}>
      {width > 0 && <Circles counts={counts} width={width} />}
      <details className={styles.table}>
        <summary>Show as a table</summary>
        <Table
          caption="Observations by kind and week"
          captionHidden
          columns={[
            { name: 'Kind', cell: ({ kind }: KindWeek) => KINDS[kind] },
            { name: 'Week from', cell: ({ week }) => dayOf(week.toISOString()) },
            { name: 'Number', cell: ({ count }) => count, numeric: true },
          ]}
          rows={counts}
          rowKey={({ kind, week }) => `${kind}-${week.getTime()}`}
        />
      </details>
      {undated > 0 && (
        <figcaption className={styles.legend}>{counted(undated, 'undated profile')} not shown</figcaption>
      )}
    </figure>
  );
}

function Circles({ counts, width }: { counts: readonly KindWeek[]; width: number }) {
  const kinds = [...new Set(counts.map(({ kind }) => kind))];
  const weeks = counts.map(({ week }) => week.getTime());
  const height = kinds.length * ROW;
  const y = scaleBand({ domain: kinds, range: [0, height] });
  const x = scaleUtc({
    domain: [new Date(Math.min(...weeks)), new Date(Math.max(...weeks))],
    range: [MARGIN, Math.max(MARGIN + 1, width - MARGIN)],
  });
  const ticks = [...ticksOf(counts, Math.min(8, Math.floor(width / 70)))];
  const radius = scaleSqrt({ domain: [0, Math.max(...counts.map(({ count }) => count))], range: [0, 10] });
  return (
    <svg height={height + AXIS} role="img" aria-label={describe(counts)}>
      {kinds.map((kind) => (
        <g key={kind} transform={`translate(0 ${y(kind) ?? 0})`}>
          <text className={styles.label} y={10}>
            {KINDS[kind]}
          </text>
          <line className={styles.guide} x1={0} x2={width} y1={25} y2={25} />
        </g>
      ))}
      {counts.map(({ kind, demandClass, week, count }) => (
        <g key={`${kind}-${week.getTime()}`} transform={`translate(${x(week)} ${(y(kind) ?? 0) + 25})`}>
          <circle r={Math.max(2.5, radius(count))} fill={DEMAND_CLASS_COLOURS[demandClass]}>
            <title>{`${count} in the week from ${dayOf(week.toISOString())}`}</title>
          </circle>
        </g>
      ))}
      <BottomAxis scale={x} top={height + 2} tickValues={ticks} tickFormat={asDay} />
    </svg>
  );
}

function describe(counts: readonly KindWeek[]): string {
  const parts = counts.map(
    ({ kind, week, count }) => `${KINDS[kind]}, week from ${dayOf(week.toISOString())}: ${count}`,
  );
  return `Observations by kind and week. ${parts.join('; ')}.`;
}

function asDay(value: unknown): string {
  return DAY_LABEL.format(new Date(Number(value)));
}
