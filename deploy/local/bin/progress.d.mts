export function withProgress<T>(what: string, work: () => Promise<T>, say?: (line: string) => void): Promise<T>;
