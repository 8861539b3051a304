import type { ReactNode } from 'react';
import styles from './callout.module.css';
import { classes } from './classes.ts';

interface CalloutProps {
  readonly tone?: 'note' | 'good' | 'warn' | 'bad';
  readonly title?: ReactNode;
  readonly role?: 'alert' | 'status' | 'note';
  readonly children?: ReactNode;
}

export function Callout({ tone = 'note', title, role = 'note', children }: CalloutProps) {
  return (
    <div className={classes(styles.callout, styles[tone])} role={role}>
      {title && <p className={styles.title}>{title}</p>}
      {children}
    </div>
  );
}
