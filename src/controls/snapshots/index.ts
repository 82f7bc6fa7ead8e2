import { type Noun, route, routeAsync, routeReplacing } from '../../world/noun.ts'
import { download, fork, list, remove, restore, save, upload } from './actions.ts'
import * as contract from './contract.ts'

/** Saved states of worlds, by name. */
export const noun: Noun = {
  routes: [
    routeAsync(contract.saveSnapshot, save),
    route(contract.listSnapshots, list),
    routeReplacing(contract.restoreSnapshot, restore),
    routeReplacing(contract.forkSnapshot, fork),
    route(contract.deleteSnapshot, remove),
    route(contract.exportSnapshot, download),
    routeAsync(contract.importSnapshot, upload),
  ],
}
