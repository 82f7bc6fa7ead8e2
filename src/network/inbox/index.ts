import type { Noun } from '../../world/noun.ts'
import { moveLinks, resetInbox } from './actions.ts'
import { tables } from './store.ts'

/** What simulated phones and mailboxes have received, and what the service itself writes to them. */
export const noun: Noun = {
  tables,
  resets: { messages: resetInbox },
  onCopied: moveLinks,
}
