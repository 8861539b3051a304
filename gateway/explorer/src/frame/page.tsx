import { type ReactNode, useEffect } from 'react';
import { classes } from '../ui/classes.ts';
import { useHeadingFocus } from './navigation.tsx';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly compact?: boolean;
  readonly children?: ReactNode;
}

/** The only h1 of a screen; it gets the focus after navigation. */
export function Page({ title, lead, compact = false, children }: PageProps) {
  const heading = useHeadingFocus();
  useEffect(() => {
    document.title = `${title} · Company Evidence Search`;
  }, [title]);
  return (
    <article className={classes(styles.page, compact && styles.compact)}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </article>
  );
}
