import { type Route, route } from '../../world/noun.ts'
import { clear, list, show, stream } from './actions.ts'
import { clearLogs, listLogs, showLog, streamLogs } from './contract.ts'

export const routes: readonly Route[] = [
  route(listLogs, list),
  route(clearLogs, clear),
  route(streamLogs, stream),
  // After the stream, whose path looks like an id.
  route(showLog, show),
]
