import type { Source } from '../../connector/source.ts';
import { extractProject, mapProject } from './map.ts';
import { HOMEPAGE, parseRelease } from './parse.ts';

const COLUMNS = [
  ...['unique_id', 'Company', 'Segment', 'Technology', 'Subcategory', 'Project_Type', 'Current_Facility_Status'],
  ...['Estimated_Total_Facility_CAPEX', 'Announcement_Date', 'State', 'Address'],
];

export const cim: Source = {
  name: 'cim',
  title: 'Clean Investment Monitor, facilities',
  publisher: 'Rhodium Group and MIT CEEPR',
  homepage: HOMEPAGE,
  licence: {
    name: 'Creative Commons Attribution 4.0 International',
    uri: 'https://creativecommons.org/licenses/by/4.0/',
    attribution: 'Clean Investment Monitor, Rhodium Group and MIT CEEPR, licensed under CC BY 4.0.',
  },
  kinds: ['facility_expansion'],
  verified: true,
  mode: 'scheduled',
  hosts: ['www.cleaninvestmentmonitor.org'],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  fields: { required: COLUMNS, usual: [] },
  extractorVersion: 1,
  mappingVersion: 1,
  parse: parseRelease,
  extract: extractProject,
  map: mapProject,
};
