/** Names of interface fields on the command line. */
const FLAGS: Readonly<Record<string, string>> = {
  query: '<query>',
  limit: '--limit',
  target: '--target',
  cursor: '--cursor',
  since: '--since',
  until: '--until',
  action: '--action',
  status: '--status',
  request_key: '--key',
  domains: '--domain',
  'filters.countries': '--country',
  'filters.kinds': '--kind',
  'filters.demand_classes': '--demand-class',
  'filters.occurred_after': '--occurred-after',
  'filters.observed_after': '--observed-after',
  'filters.company_ids': '--company-id',
  'filters.domains': '--domain',
  'filters.exclude_company_ids': '--exclude-company-id',
  'filters.exclude_domains': '--exclude-domain',
};

/** Verbs that take as an argument what others take as an option. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lookup: { ids: '<id-or-domain>', domains: '<id-or-domain>' },
};

/** `filters.kinds[1]` becomes `--kind (number 2)`; other names stay. */
export function withFlagNames(message: string, verb: string): string {
  const flags = { ...FLAGS, ...(Object.hasOwn(ARGUMENTS, verb) && ARGUMENTS[verb]) };
  const names = message.replaceAll(/`([\w.]+)(?:\[(\d*)\])?`/g, (written, path: string, index: string | undefined) => {
    if (!Object.hasOwn(flags, path)) return written;
    return `${flags[path]}${placeOf(index)}`;
  });
  return names.replace('Idempotency-Key', '--key');
}

/** Only a list has an index. The first item is the only one in most calls, so it has no number. */
function placeOf(index: string | undefined): string {
  const place = Number(index || 0) + 1;
  return place === 1 ? '' : ` (number ${place})`;
}
