import { ErrorCallout } from '../errors/error-callout.tsx';
import { priceOf } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { count } from '../words/units.ts';
import styles from './company-view.module.css';
import type { useCompanyLookUp } from './use-company.ts';

interface LookUpOfferProps {
  readonly lookUp: ReturnType<typeof useCompanyLookUp>;
  readonly isRepeated: boolean;
}

const PRICE = priceOf.companyLookup({ ids: [1] });

export function LookUpOffer({ lookUp, isRepeated }: LookUpOfferProps) {
  const { error, isFetching, requestKey, again, start } = lookUp;
  return (
    <section className={styles.offer} aria-label="Look up the current record">
      <p>
        <strong>
          Costs {count(PRICE.requestUnits, 'request unit')} and at most {count(PRICE.deliveredUnits, 'delivered unit')}.
        </strong>{' '}
        {isRepeated
          ? 'Shows the record as it is now: the strongest demand class first, then the newest event.'
          : 'Shows at most three observations: the strongest demand class first, then the newest event.'}
      </p>
      <Button kind={isRepeated ? 'plain' : 'primary'} busy={isFetching} onClick={start}>
        {isRepeated ? 'Look up again' : 'Look up this company'}
      </Button>
      {error && <ErrorCallout error={error} onSameKey={again} onNewKey={start} {...(requestKey && { requestKey })} />}
    </section>
  );
}
