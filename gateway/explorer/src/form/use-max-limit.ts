import { useUsageReport } from '../session/usage-report.ts';

/** While the plan is unknown, the maximum of all plans. */
export function useMaxLimit(): number {
  const { data } = useUsageReport();
  return data?.subscription.plan === 'builder' ? 25 : 50;
}
