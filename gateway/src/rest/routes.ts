import type { Peers } from '../peers.ts';
import { diagnose } from './diagnose.ts';
import { getCompany } from './get-company.ts';
import { getObservation } from './get-observation.ts';
import { getUsage } from './get-usage.ts';
import { getUsageReport } from './get-usage-report.ts';
import { getUsageStatement } from './get-usage-statement.ts';
import { listUsages } from './list-usages.ts';
import { lookUpCompanies } from './look-up-companies.ts';
import { lookUpObservations, postObservationLookup } from './look-up-observations.ts';
import type { Route } from './route.ts';
import { searchCompanies } from './search-companies.ts';
import { queueObservationSearch, searchObservations } from './search-observations.ts';

export function apiRoutes(peers: Peers): readonly Route[] {
  return [
    searchCompanies(peers),
    getUsage(peers),
    lookUpCompanies(peers),
    getCompany(peers),
    lookUpObservations(peers),
    postObservationLookup(peers),
    listUsages(peers),
    getUsageReport(peers),
    getUsageStatement(peers),
    diagnose(peers),
    searchObservations(peers),
    queueObservationSearch(peers),
    getObservation(peers),
  ];
}
