import { Link } from 'wouter';
import styles from './saved.module.css';
import { useSaved } from './use-saved.ts';

const SHOWN = 6;

export function SavedLinks() {
  const saved = useSaved();
  if (saved.length === 0) return null;
  return (
    <section className={styles.links} aria-labelledby="saved">
      <h2 id="saved">Saved searches</h2>
      <ul className={styles.names}>
        {saved.slice(0, SHOWN).map(({ name, search }) => (
          <li key={search}>
            <Link href={`?${search}`}>{name}</Link>
          </li>
        ))}
      </ul>
      <p>
        <Link href="/saved">See what is new in them</Link>
      </p>
    </section>
  );
}
