import type { Company } from '../session/client.ts';
import styles from './domains.module.css';

export function Domains({ domains }: { domains: Company['domains'] }) {
  if (domains.length === 0) return <p className={styles.none}>No domain is supported by these observations.</p>;
  return (
    <ul className={styles.domains} aria-label="Domains">
      {domains.map(({ id, hostname }) => (
        <li key={id}>
          <a href={`https://${hostname}/`} target="_blank" rel="noopener noreferrer">
            {hostname}
          </a>
        </li>
      ))}
    </ul>
  );
}
