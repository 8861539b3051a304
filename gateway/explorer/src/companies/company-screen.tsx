import { useSearch } from 'wouter';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Page } from '../frame/page.tsx';
import { OUTCOMES, type Outcome } from '../look-up/outcomes.ts';
import { CesError } from '../session/client.ts';
import { Callout } from '../ui/callout.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CompanyView } from './company-view.tsx';
import { LookUpOffer } from './look-up-offer.tsx';
import { useCompanyLookUp, useDelivered } from './use-company.ts';

export default function CompanyScreen({ id }: { readonly id: string }) {
  if (!/^[1-9]\d{0,14}$/.test(id))
    return <Page title="Company" lead={`“${id}” is not a company id: ids are whole numbers from 1.`} />;
  return <Company id={id} />;
}

function Company({ id }: { readonly id: string }) {
  const usageId = operationOf(useSearch());
  const delivered = useDelivered(Number(id), usageId);
  const lookUp = useCompanyLookUp(id, usageId);
  const found = delivered.data?.found;
  const offer = <LookUpOffer lookUp={lookUp} isRepeated={found !== undefined && found !== 'another'} />;
  if (delivered.data && typeof found === 'object' && 'company' in found)
    return (
      <Page
        title={found.company.name}
        lead={`What operation ${delivered.data.usage.id} delivered, shown again free of charge.`}
      >
        <CompanyView {...found} usage={delivered.data.usage} />
        {offer}
      </Page>
    );
  return (
    <Page title={`Company ${id}`} lead="A look-up shows its current record: domains, dated observations and sources.">
      {usageId !== undefined && delivered.isPending && <Skeleton height="12rem" />}
      {typeof found === 'object' && 'outcome' in found && <OutcomeNote outcome={found.outcome} />}
      {(found === 'another' || isForeign(delivered.error)) && (
        <Callout tone="note" title={`Operation ${usageId} does not show this company to your account.`}>
          <p>A link is free only for the account that paid for it. Your account can look the company up.</p>
        </Callout>
      )}
      {delivered.error && !isForeign(delivered.error) && (
        <ErrorCallout error={delivered.error} onSameKey={() => void delivered.refetch()} />
      )}
      {offer}
    </Page>
  );
}

function operationOf(search: string): number | undefined {
  const id = new URLSearchParams(search).get('operation') ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

function isForeign(error: unknown): boolean {
  return error instanceof CesError && error.code === 'usage_not_found';
}

function OutcomeNote({ outcome }: { readonly outcome: Outcome }) {
  return (
    <Callout tone="warn" title={`The outcome of the look-up: ${OUTCOMES[outcome].title.toLowerCase()}.`}>
      <p>{OUTCOMES[outcome].sentence}</p>
    </Callout>
  );
}
