/** Names what is being done, and again every two seconds until it is done. */
export function during<T>(what: string, work: () => Promise<T>, say?: (line: string) => void): Promise<T>;
