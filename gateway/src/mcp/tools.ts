import type { Peers } from '../peers.ts';
import { getCompanies } from './get-companies.ts';
import { tellingAllowance } from './limit-reached.ts';
import { searchCompanies } from './search-companies.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order of the list. */
export function mcpTools(peers: Peers): readonly Tool[] {
  return [searchCompanies(peers), getCompanies(peers)].map((tool) => tellingAllowance(peers, tool));
}
