import { type Route, route, routeAround, routeOutside } from '../../world/noun.ts'
import { download, fork, list, remove, restore, save, upload } from './actions.ts'
import {
  deleteSnapshot,
  exportSnapshot,
  forkSnapshot,
  importSnapshot,
  listSnapshots,
  restoreSnapshot,
  saveSnapshot,
} from './contract.ts'

export const routes: readonly Route[] = [
  routeOutside(saveSnapshot, save),
  route(listSnapshots, list),
  routeAround(restoreSnapshot, restore),
  routeAround(forkSnapshot, fork),
  route(deleteSnapshot, remove),
  route(exportSnapshot, download),
  routeOutside(importSnapshot, upload),
]
