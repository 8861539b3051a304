import { Link } from 'wouter';
import { useUsageReport } from '../session/usage-report.ts';
import styles from './allowance-chip.module.css';

export function AllowanceChip() {
  const { data } = useUsageReport();
  if (!data) return null;
  const { subscription, usage, limits, reservations } = data;
  const units = limits.weekly_request_units - usage.weekly_request_units - reservations.request_units;
  const left = units.toLocaleString('en-CA');
  return (
    <Link
      href="/usage"
      className={styles.chip ?? ''}
      aria-label={`${subscription.plan} ${left} left this week: request units of your plan`}
    >
      <strong>{subscription.plan}</strong> <span className={styles.left}>{left} left this week</span>
    </Link>
  );
}
