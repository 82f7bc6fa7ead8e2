import { type Noun, route, routeAround } from '../world/noun.ts'
import { list, remove, reset } from './actions.ts'
import { deleteNamespace, listNamespaces, resetNamespace } from './contract.ts'

/** The worlds of this process, one for each key. */
export const namespaces: Noun = {
  routes: [route(listNamespaces, list), routeAround(deleteNamespace, remove), routeAround(resetNamespace, reset)],
}
