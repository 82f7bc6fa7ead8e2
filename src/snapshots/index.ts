import { type Noun, route, routeAround, routeOutside } from '../world/noun.ts'
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

/** Copies of worlds: saved, restored, forked, and carried from one sandbox to another. */
export const snapshots: Noun = {
  routes: [
    routeOutside(saveSnapshot, save),
    route(listSnapshots, list),
    routeAround(restoreSnapshot, restore),
    routeAround(forkSnapshot, fork),
    route(deleteSnapshot, remove),
    route(exportSnapshot, download),
    routeOutside(importSnapshot, upload),
  ],
}
