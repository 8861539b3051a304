import { CesError } from '@ces/client';
import { useQuery } from '@tanstack/react-query';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Page } from '../frame/page.tsx';
import { useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { OperationFacts } from './operation-facts.tsx';
import { OperationResult } from './operation-result.tsx';

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
  const usage = data?.status === 'done' ? data.result.usage : (data?.usage ?? storedUsage(error));
  return (
    <Page
      title={`${TITLE} ${id}`}
      lead="Replayed just now, free of charge. Results that are no longer deliverable are omitted."
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
        <div>
          <Button onClick={() => void refetch()} busy={isFetching}>
            Replay again
          </Button>
        </div>
      )}
      {data && <CallsPanel call={{ action: 'operation', usageId: Number(id) }} />}
    </Page>
  );
}

/** Only a stored failure carries its operation. */
function storedUsage(error: unknown): CesError['usage'] {
  return error instanceof CesError ? error.usage : undefined;
}
