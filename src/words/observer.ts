/**
 * Sent by observers such as the inspector with GET requests, which then count against no rate limit, meet no fault and
 * stay out of the request log: observing changes nothing.
 */
export const OBSERVER_HEADER = 'x-sandbox-observer'

/** Value of the header for a call that prepares another one, which may be the first of its namespace. */
export const LOOKUP = 'lookup'
