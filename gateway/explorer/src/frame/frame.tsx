import type { ReactNode } from 'react';
import styles from './frame.module.css';
import { Header } from './header.tsx';

export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className={styles.skip} href="#screen">
        Skip to content
      </a>
      <Header />
      <main id="screen" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <footer className={styles.footer}>
        <p>
          Coverage is partial. A match does not guarantee buying intent, and an empty answer does not prove absence.
        </p>
        <p>
          <a href="/docs">Guides</a> <a href="/sources">Sources and licences</a> <a href="/openapi.json">OpenAPI</a>
        </p>
      </footer>
    </>
  );
}
