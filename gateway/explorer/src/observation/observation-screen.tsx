import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { companyPath } from '../company/company-link.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Page } from '../frame/page.tsx';
import { useSession } from '../session/session.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ObservationView } from './observation-view.tsx';

export default function ObservationScreen({ id }: { readonly id: string }) {
  const { ces } = useSession();
  const isId = /^[1-9]\d{0,15}$/.test(id);
  const { data, error, refetch } = useQuery({
    queryKey: ['observation', id],
    queryFn: () => ces.getObservation(Number(id)),
    enabled: isId,
    staleTime: 0,
    refetchOnMount: true,
  });
  if (!isId)
    return <Page title="Observation" lead={`“${id}” is not an observation id: ids are whole numbers from 1.`} />;
  return (
    <Page title={`Observation ${id}`} lead="One dated fact with its current evidence. Reading it is free.">
      {error && <ErrorCallout error={error} onSameKey={() => void refetch()} />}
      {!data && !error && <Skeleton height="20rem" />}
      {data && (
        <>
          <ObservationView observation={data.observation} />
          <p>
            <Link href={companyPath(data.observation.company.id)}>Look up {data.observation.company.name}</Link> to see
            its other observations. The price is shown first.
          </p>
          <CallsPanel call={{ action: 'observation', id: Number(id) }} />
        </>
      )}
    </Page>
  );
}
