import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type CompanyInput, daysAgo, type ObservationInput, type Recorded, recordEvidence } from '../record.ts';
import type { TestStack } from '../stack.ts';

const COMPANIES: readonly CompanyInput[] = [
  { key: 'maple', name: 'Maple Cold Storage Ltd', hostnames: ['maple.example', 'www.shop.maple.example'] },
  { key: 'prairie', name: 'Prairie Rail Works', hostnames: ['prairie.example', 'shared.example'] },
  { key: 'harbour', name: 'Harbour Glass Inc', hostnames: ['harbour.example', 'shared.example'], country: Country.US },
  { key: 'quiet', name: 'Quiet Foundry', hostnames: ['quiet.example'] },
];

const warehouse = { companyKey: 'maple', kind: Kind.FACILITY_EXPANSION };

const OBSERVATIONS: readonly ObservationInput[] = [
  { ...warehouse, key: 'warehouse', observedFact: 'Maple builds a refrigerated warehouse', categories: ['48-49'] },
  { ...warehouse, key: 'warehouse-2', observedFact: 'Maple enlarges a refrigerated warehouse in Lethbridge' },
  { ...warehouse, key: 'warehouse-3', observedFact: 'Maple leases land for a refrigerated warehouse' },
  { ...warehouse, key: 'warehouse-4', observedFact: 'Maple opens a refrigerated warehouse dock' },
  {
    key: 'old-warehouse',
    companyKey: 'quiet',
    kind: Kind.FACILITY_EXPANSION,
    observedFact: 'Quiet Foundry opened a refrigerated warehouse',
    occurredAt: daysAgo(60),
  },
  {
    key: 'tender',
    companyKey: 'prairie',
    kind: Kind.PROCUREMENT_REQUEST,
    observedFact: 'Prairie asks for bids on refrigerated rail cars',
    expiresAt: daysAgo(-20),
  },
  {
    key: 'profile',
    companyKey: 'harbour',
    kind: Kind.COMPANY_PROFILE,
    observedFact: 'Harbour makes laminated display glass',
    country: Country.US,
  },
  ...eventsOf('harbour', {
    funding: Kind.FUNDING_ROUND,
    leadership: Kind.LEADERSHIP_CHANGE,
    launch: Kind.PRODUCT_LAUNCH,
    partnership: Kind.PARTNERSHIP,
    technology: Kind.TECHNOLOGY_USE,
    job: Kind.JOB_POSTING,
  }),
];

function eventsOf(companyKey: string, kinds: Record<string, Kind>): ObservationInput[] {
  return Object.entries(kinds).map(([key, kind]) => ({
    key,
    companyKey,
    kind,
    observedFact: `Harbour ${key} news about tempered glass`,
    country: Country.US,
  }));
}

export async function recordCatalogue(stack: TestStack): Promise<Recorded> {
  return await recordEvidence(stack, COMPANIES, OBSERVATIONS);
}
