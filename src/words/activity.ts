/** Something that has happened in one of the worlds of a process, for whoever watches all of them. */
export type Activity = RequestActivity | EventActivity | DeliveryActivity

interface Happened {
  namespace: string
  /** On the world's clock, ISO 8601. */
  at: string
}

export interface RequestActivity extends Happened {
  type: 'request'
  request_id: string
  method: string
  path: string
  /** null when the caller left before an answer. */
  status: number | null
  error: string | null
  duration_ms: number
}

export interface EventActivity extends Happened {
  type: 'event'
  seq: number
  event: string
  subject: string
}

export interface DeliveryActivity extends Happened {
  type: 'delivery'
  event: string
  event_id: string
  url: string
  attempt: number
  status_code: number | null
  error: string | null
}
