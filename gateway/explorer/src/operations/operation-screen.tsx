import { CesError } from '@ces/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Page } from '../frame/page.tsx';
import { useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { OperationFacts } from './operation-facts.tsx';
import { OperationResult } from './operation-result.tsx';
import styles from './operations.module.css';

const TITLE = 'Operation';

export default function OperationScreen({ id }: { readonly id: string }) {
  const { ces } = useSession();
  const isId = /^[1-9]\d{0,15}$/.test(id);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['operation', id],
    queryFn: () => ces.getOperation(Number(id)),
    enabled: isId,
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? state.data.retryAfterMs : false),
  });
  if (!isId) return <Page title={TITLE} lead={`“${id}” is not an operation id: ids are whole numbers from 1.`} />;
  if (isUnknown(error)) return <UnknownOperation id={id} />;
  const usage = data?.status === 'done' ? data.result.usage : (data?.usage ?? storedUsage(error));
  return (
    <Page
      title={`${TITLE} ${id}`}
      lead={data?.status === 'done' && 'Replayed just now, free of charge. What is no longer deliverable is omitted.'}
    >
      {!data && !error && <Skeleton height="12rem" />}
      {usage && <OperationFacts usage={usage} />}
      {error && storedUsage(error) && (
        <Callout tone="bad" title="This operation failed. Nothing was charged.">
          <p>The failure is stored, and its request key always returns it. Try again with a new key.</p>
        </Callout>
      )}
      {error && <ErrorCallout error={error} onSameKey={() => void refetch()} />}
      {data?.status === 'pending' && (
        <p role="status">
          <Spinner /> It is {data.usage.status}. This screen updates automatically and free of charge.
        </p>
      )}
      {data?.status === 'done' && <OperationResult result={data.result} />}
      {data?.status === 'done' && (
        <div className={styles.actions}>
          <Button onClick={() => void refetch()} busy={isFetching}>
            Replay again
          </Button>
          <CopyButton name="Copy link" text={location.href} of={`operation ${id}`} />
        </div>
      )}
      {data && <CallsPanel call={{ action: 'operation', usageId: Number(id) }} />}
    </Page>
  );
}

function UnknownOperation({ id }: { readonly id: string }) {
  return (
    <Page title={`No operation ${id}`} lead="The account of your key has no operation with this id.">
      <p>
        Another account may have it: only the account that created an operation can read it. See{' '}
        <Link href="/operations">your operations</Link>.
      </p>
    </Page>
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof CesError && error.code === 'usage_not_found';
}

/** Only a stored failure carries its operation. */
function storedUsage(error: unknown): CesError['usage'] {
  return error instanceof CesError ? error.usage : undefined;
}
