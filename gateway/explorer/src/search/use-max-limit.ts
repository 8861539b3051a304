import { useUsageReport } from '../session/usage-report.ts';

/** Companies a page that the plan allows; while the plan is unknown, the most that any allows. */
export function useMaxLimit(): number {
  const { data } = useUsageReport();
  return data?.subscription.plan === 'builder' ? 25 : 50;
}
