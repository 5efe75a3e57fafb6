/** Where failures go that nobody waits for: what was being done, in words, and the error itself. */
export type ReportFailure = (doing: string, error: unknown) => void;
