import { type Noun, route, routeReplacing } from '../../world/noun.ts'
import { list, remove, reset } from './actions.ts'
import { deleteNamespace, listNamespaces, resetNamespace } from './contract.ts'

export const noun: Noun = {
  routes: [route(listNamespaces, list), routeReplacing(deleteNamespace, remove), routeReplacing(resetNamespace, reset)],
}
