import { type Noun, route, routeAsync, routeReplacing } from '../../world/noun.ts'
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

/** Worlds kept by name. */
export const noun: Noun = {
  routes: [
    routeAsync(saveSnapshot, save),
    route(listSnapshots, list),
    routeReplacing(restoreSnapshot, restore),
    routeReplacing(forkSnapshot, fork),
    route(deleteSnapshot, remove),
    route(exportSnapshot, download),
    routeAsync(importSnapshot, upload),
  ],
}
