import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { useControl } from './field.tsx';

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useControl()} rows={2} {...rest} className={classes(styles.control, className)} />;
}
