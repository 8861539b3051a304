import styles from './skeleton.module.css';

/** Hidden from screen readers, so the container must describe the state in words. */
export function Skeleton({ height = '1rem', width = '100%' }: { height?: string; width?: string }) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden="true" />;
}
