import { type Noun, route } from '../world/noun.ts'
import { show } from './actions.ts'
import { showInbox } from './contract.ts'
import { tables } from './store.ts'

/** The simulated mailboxes and phones, as far as the service itself writes to them. */
export const inbox: Noun = { tables, routes: [route(showInbox, show)] }
