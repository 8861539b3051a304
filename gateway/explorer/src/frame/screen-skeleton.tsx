import { Skeleton } from '../ui/skeleton.tsx';
import styles from './page.module.css';

export function ScreenSkeleton() {
  return (
    <div className={styles.page} role="status" aria-label="Loading the screen">
      <Skeleton height="2.25rem" width="14rem" />
      <Skeleton height="8rem" />
      <Skeleton height="14rem" />
    </div>
  );
}
