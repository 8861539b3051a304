import { CallsPanel } from '../calls/calls-panel.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Page } from '../frame/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AllowanceBars } from './allowance-bars.tsx';
import { NextUnits } from './next-units.tsx';
import { Statement } from './statement-section.tsx';
import styles from './usage.module.css';
import { useAllowance } from './use-allowance.ts';

export default function UsageScreen() {
  const { data, error, refetch } = useAllowance();
  return (
    <Page
      title="Usage"
      lead="One allowance for all keys of the subscription. Everything on this screen is free to read."
    >
      {error && <ErrorCallout error={error} onSameKey={() => void refetch()} />}
      {!data && !error && <Skeleton height="20rem" />}
      {data && (
        <section className={styles.section} aria-labelledby="allowance">
          <h2 id="allowance">Allowance</h2>
          <p>
            Plan <strong>{data.report.subscription.plan}</strong>, {data.report.subscription.status}.
          </p>
          <AllowanceBars allowance={data} />
          <NextUnits allowance={data} />
          <CallsPanel call={{ action: 'usage' }} />
        </section>
      )}
      <Statement />
    </Page>
  );
}
