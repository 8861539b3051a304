/** Does `work` while no other process that uses this lock does; a lock whose owner is gone is taken over. */
export function exclusively<T>(lock: string, waiting: string, work: () => Promise<T>): Promise<T>;
