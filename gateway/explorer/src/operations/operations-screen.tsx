import { useDeferredValue, useState } from 'react';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Page } from '../frame/page.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from './operations.module.css';
import { OperationsFilters } from './operations-filters.tsx';
import { OperationsTable } from './operations-table.tsx';
import { searchLoaded } from './search-loaded.ts';
import { type Asked, filtersOf, useOperations } from './use-operations.ts';

/** The service applies the filters; the word search covers only the loaded pages. */
export default function OperationsScreen() {
  const [asked, setAsked] = useState<Asked>({ period: 'all', action: '', status: '' });
  const [words, setWords] = useState('');
  const { usages, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useOperations(asked);
  const found = searchLoaded(usages, useDeferredValue(words));
  return (
    <Page
      title="Operations"
      lead="All operations of this account with their cost. Reading and replaying them is free."
    >
      <OperationsFilters asked={asked} words={words} onAsked={setAsked} onWords={setWords} />
      {error && <ErrorCallout error={error} onSameKey={() => void refetch()} />}
      {isPending && <Skeleton height="16rem" />}
      {!isPending && !error && (
        <p role="status" className={styles.count}>
          {countInWords(found.length, usages.length, words !== '', hasNextPage)}
        </p>
      )}
      {found.length > 0 && <OperationsTable usages={found} />}
      {hasNextPage && (
        <div>
          <Button onClick={() => void fetchNextPage()} busy={isFetchingNextPage}>
            Load older operations
          </Button>
        </div>
      )}
      <CallsPanel call={{ action: 'operations', filter: filtersOf(asked) }} />
    </Page>
  );
}

function countInWords(found: number, loaded: number, isSearched: boolean, hasMore: boolean): string {
  const older = hasMore ? ' You can load older ones.' : '';
  if (isSearched) return `${found} of ${loaded} loaded operations match.${older}`;
  if (loaded === 0 && !hasMore) return 'No operations. Run a search, or widen the filters.';
  return `${loaded} ${loaded === 1 ? 'operation' : 'operations'} loaded.${older}`;
}
