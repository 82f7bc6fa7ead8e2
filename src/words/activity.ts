/** An event in one world of a process, for the watcher of the process. */
export type Activity = RequestActivity | EventActivity | DeliveryActivity

interface ActivityBase {
  namespace: string
  /** World time, ISO 8601. */
  at: string
}

export interface RequestActivity extends ActivityBase {
  type: 'request'
  request_id: string
  method: string
  path: string
  /** null if the caller left before the answer. */
  status: number | null
  error: string | null
  duration_ms: number
}

export interface EventActivity extends ActivityBase {
  type: 'event'
  seq: number
  event: string
  subject: string
}

export interface DeliveryActivity extends ActivityBase {
  type: 'delivery'
  event: string
  event_id: string
  url: string
  attempt: number
  status_code: number | null
  error: string | null
}
