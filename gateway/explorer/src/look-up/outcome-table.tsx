import type { CompanyLookupResult } from '@ces/client';
import { CompanyLink } from '../company/company-link.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Table } from '../ui/table.tsx';
import { OUTCOMES, type Outcome } from './outcomes.ts';

type Lookup = CompanyLookupResult['lookups'][number];

const TONES: Readonly<Record<Outcome, Tone>> = {
  found: 'good',
  ambiguous: 'warn',
  unavailable: 'warn',
  not_found: 'neutral',
};

interface OutcomeTableProps {
  readonly lookups: readonly Lookup[];
  readonly linkOf: (companyId: number) => { readonly name: string; readonly usageId?: number };
}

export function OutcomeTable({ lookups, linkOf }: OutcomeTableProps) {
  return (
    <Table
      caption="Outcome of each input"
      rows={lookups}
      rowKey={inputOf}
      columns={[
        { name: 'Input', cell: inputOf },
        { name: 'Outcome', cell: ({ status }) => <Badge tone={TONES[status]}>{OUTCOMES[status].title}</Badge> },
        {
          name: 'Company',
          cell: (lookup) =>
            lookup.status === 'found' && <CompanyLink id={lookup.company_id} {...linkOf(lookup.company_id)} />,
        },
      ]}
    />
  );
}

function inputOf(lookup: Lookup): string {
  return 'domain' in lookup ? lookup.domain : String(lookup.id);
}
