import { readFile } from 'node:fs/promises';

/** Actions that the node granted to a user, from its audit log. */
export async function actionsAskedFor(logFile: string, user: string): Promise<ReadonlySet<string>> {
  const entries = (await readFile(logFile, 'utf8')).split('\n').flatMap(entryOf);
  const granted = entries.filter(
    (entry) => entry.audit_category === 'GRANTED_PRIVILEGES' && entry.audit_request_effective_user === user,
  );
  return new Set(granted.map(({ audit_request_privilege }) => audit_request_privilege));
}

interface Entry {
  readonly audit_category: string;
  readonly audit_request_effective_user: string;
  readonly audit_request_privilege: string;
}

function entryOf(line: string): Entry[] {
  const begin = line.indexOf('{"audit_');
  return begin < 0 ? [] : [JSON.parse(line.slice(begin)) as Entry];
}
