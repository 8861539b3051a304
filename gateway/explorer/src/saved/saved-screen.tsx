import { Link } from 'wouter';
import { Page } from '../frame/page.tsx';
import styles from './saved.module.css';
import { SavedFiles } from './saved-files.tsx';
import { SavedItem } from './saved-item.tsx';
import { useSaved } from './use-saved.ts';

export default function SavedScreen() {
  const saved = useSaved();
  return (
    <Page
      title="Saved searches"
      lead="They are stored in this browser, without answers and keys. Opening one is free; searching has its price."
    >
      <SavedFiles saved={saved} />
      {saved.length === 0 && (
        <p>
          Nothing is saved yet. <Link href="/">Search for companies</Link>, then choose “Save this search” above the
          answer.
        </p>
      )}
      {saved.length > 0 && (
        <ul className={styles.list} aria-label="Saved searches">
          {saved.map((one) => (
            <li key={one.search} className={styles.item}>
              <SavedItem saved={one} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
