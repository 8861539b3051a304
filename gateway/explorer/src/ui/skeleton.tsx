import styles from './skeleton.module.css';

/** The outline of what is on its way; the container says in words what that is. */
export function Skeleton({ height = '1rem', width = '100%' }: { height?: string; width?: string }) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden="true" />;
}
