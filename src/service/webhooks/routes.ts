import { type Route, route, routeAsync } from '../../world/noun.ts'
import { create, list, remove, test, update } from './actions.ts'
import { createWebhook, deleteWebhook, listWebhooks, testWebhook, updateWebhook } from './contract.ts'

export const routes: readonly Route[] = [
  route(createWebhook, create),
  route(listWebhooks, list),
  route(updateWebhook, update),
  route(deleteWebhook, remove),
  routeAsync(testWebhook, test),
]
