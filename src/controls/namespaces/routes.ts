import { type Route, route, routeAround } from '../../world/noun.ts'
import { list, remove, reset } from './actions.ts'
import { deleteNamespace, listNamespaces, resetNamespace } from './contract.ts'

export const routes: readonly Route[] = [
  route(listNamespaces, list),
  routeAround(deleteNamespace, remove),
  routeAround(resetNamespace, reset),
]
