export function exclusively<T>(lock: string, waiting: string, work: () => Promise<T>): Promise<T>;
