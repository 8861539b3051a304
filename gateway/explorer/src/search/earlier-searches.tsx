import { Link } from 'wouter';
import type { Run } from '../runs/run.ts';
import { useRuns } from '../runs/runs.ts';
import { minuteOf } from '../words/dates.ts';
import { count } from '../words/units.ts';
import styles from './examples.module.css';

const SHOWN = 8;

export function EarlierSearches() {
  const runs = useRuns().slice(-SHOWN).reverse();
  if (runs.length === 0) return null;
  return (
    <section className={styles.examples} aria-labelledby="earlier">
      <h2 id="earlier">Earlier in this tab</h2>
      <p className={styles.muted}>Opening one again is free.</p>
      <ul className={styles.runs}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link href={`?${run.search}`} state={{ run: run.id }}>
              {run.input.query}
            </Link>
            <span className={styles.muted}>{whenAndHowMuch(run)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whenAndHowMuch({ pages }: Run): string {
  const [first] = pages;
  const pressed = first ? minuteOf(new Date(first.pressedAt).toISOString()) : '';
  return `${pressed} · ${count(pages.length, 'page')}`;
}
