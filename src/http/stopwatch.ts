/** Milliseconds since the system made this process, so that nothing of a start is left out. */
export const sinceProcessStart = (): number => performance.now()
