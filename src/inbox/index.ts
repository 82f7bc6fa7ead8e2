import { type Noun, route } from '../world/noun.ts'
import { moveLinks, resetInbox } from './actions.ts'
import { showInbox } from './contract.ts'
import { show } from './show.ts'
import { tables } from './store.ts'

/** What simulated phones and mailboxes have received, and what the service itself writes to them. */
export const inbox: Noun = {
  tables,
  routes: [route(showInbox, show)],
  resets: { messages: resetInbox },
  begun: moveLinks,
}
