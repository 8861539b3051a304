/**
 * Extracts the hostname from a URL or a bare name and normalises it as the service does: lower
 * case, A-labels, no trailing dot. Undefined for other text and for IP addresses. Keeps a leading
 * `www.`.
 */
export function hostnameOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  const hostname = parse(address.replace(/^[a-z][a-z0-9+.-]*:/i, 'https:'))?.replace(/\.$/, '');
  if (hostname === undefined || hostname.length > MOST_CHARACTERS) return undefined;
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^\d+$/.test(labels.at(-1) ?? '');
  return !isAddress && labels.every((label) => LABEL.test(label)) ? hostname : undefined;
}

const MOST_CHARACTERS = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function parse(address: string): string | undefined {
  return URL.parse(address)?.hostname;
}
