import { Button } from '../ui/button.tsx';
import styles from './examples.module.css';

/** The lab checks that the first three results of each are right on sample data. */
const QUERIES = [
  'cold storage warehouse expansion',
  'bids for scrap metal removal',
  'startups that raised a Series B',
  'hiring electricians',
];

export function Examples({ choose }: { choose: (query: string) => void }) {
  return (
    <section className={styles.examples} aria-labelledby="examples">
      <h2 id="examples">Examples</h2>
      <ul className={styles.list}>
        {QUERIES.map((query) => (
          <li key={query}>
            <Button size="small" onClick={() => choose(query)}>
              {query}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
