import { type Route, route } from '../../world/noun.ts'
import { clear, list, show, stream } from './actions.ts'
import { clearRequests, listRequests, showRequest, streamRequests } from './contract.ts'

export const routes: readonly Route[] = [
  route(listRequests, list),
  route(clearRequests, clear),
  route(streamRequests, stream),
  // After the stream, whose path looks like an id.
  route(showRequest, show),
]
