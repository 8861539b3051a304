import type { Source } from '../source.ts';
import { extractProject, mapProject } from './map.ts';
import { parseRelease } from './parse.ts';

export const cim: Source = {
  name: 'cim',
  title: 'Clean Investment Monitor, facilities',
  homepage: 'https://www.cleaninvestmentmonitor.org/',
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
  fields: {
    required: [
      'unique_id',
      'Company',
      'Technology',
      'Project_Type',
      'Current_Facility_Status',
      'Announcement_Date',
      'State',
    ],
    usual: ['Segment', 'Subcategory', 'Estimated_Total_Facility_CAPEX', 'Address'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  parse: parseRelease,
  extract: extractProject,
  map: mapProject,
};
