import {
  listDeliveries,
  listEvents,
  moveCursor,
  replayEvent,
  showCursor,
  showEvent,
  showSecret,
  streamEvents,
} from '../../controls/events/contract.ts'
import { type Route, route, routeAsync } from '../../world/noun.ts'
import { cursor, list as listOfEvents, move, secret } from '../events/log.ts'
import { stream } from '../events/stream.ts'
import { create, list, remove, test, update } from './actions.ts'
import { createWebhook, deleteWebhook, listWebhooks, testWebhook, updateWebhook } from './contract.ts'
import { list as listOfDeliveries, replay, show as showWithDeliveries } from './deliveries.ts'

export const routes: readonly Route[] = [
  route(createWebhook, create),
  route(listWebhooks, list),
  route(updateWebhook, update),
  route(deleteWebhook, remove),
  routeAsync(testWebhook, test),
  route(listEvents, listOfEvents),
  route(streamEvents, stream),
  route(showCursor, cursor),
  route(moveCursor, move),
  route(showSecret, secret),
  route(listDeliveries, listOfDeliveries),
  // After the others, whose paths look like ids.
  route(showEvent, showWithDeliveries),
  route(replayEvent, replay),
]
