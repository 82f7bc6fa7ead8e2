/**
 * A program that looks at a sandbox for people sends this header with its GET requests: they count against no rate limit,
 * meet no fault and stay out of the request log, so that looking changes nothing.
 */
export const OBSERVER_HEADER = 'x-sandbox-observer'
