import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from './classes.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'explicit' | 'proxy' | 'structural';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}
