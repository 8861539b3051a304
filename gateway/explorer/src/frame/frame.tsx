import type { ReactNode } from 'react';
import styles from './frame.module.css';
import { Header } from './header.tsx';

export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className={styles.skip} href="#screen">
        Skip to the screen
      </a>
      <Header />
      <main id="screen" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <footer className={styles.footer}>
        <p>
          Coverage is partial. A matching company is no guarantee of buying intent, and an empty answer is no proof of
          absence.
        </p>
        <p>
          <a href="/docs">Guides</a> <a href="/sources">Sources and licences</a> <a href="/openapi.json">OpenAPI</a>
        </p>
      </footer>
    </>
  );
}
