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
  if (!isId) return <Page title={TITLE} lead={`“${id}” is no id of an operation: ids are whole numbers from 1.`} />;
  const usage = data?.status === 'done' ? data.result.usage : (data?.usage ?? storedUsage(error));
  return (
    <Page
      title={`${TITLE} ${id}`}
      lead="Replayed just now, which is free: what it found then, as far as it is deliverable now."
    >
      {!data && !error && <Skeleton height="12rem" />}
      {usage && <OperationFacts usage={usage} />}
      {error && storedUsage(error) && (
        <Callout tone="bad" title="This operation failed, and nothing was charged for it.">
          <p>The failure is stored: its request key answers the same for good. Ask anew with a new key.</p>
        </Callout>
      )}
      {error && <ErrorCallout error={error} onSameKey={() => void refetch()} />}
      {data?.status === 'pending' && (
        <p role="status">
          <Spinner /> It is {data.usage.status}. This screen asks again by itself, and asking is free.
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
