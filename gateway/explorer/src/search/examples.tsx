import { Button } from '../ui/button.tsx';
import styles from './examples.module.css';

const QUERIES = [
  'cold storage warehouse expansion',
  'cities buying snow removal services',
  'new battery or solar manufacturing plant',
  'hospitals looking for software',
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
