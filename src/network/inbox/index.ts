import type { Noun } from '../../world/noun.ts'
import { moveLinks, resetInbox } from './actions.ts'
import { tables } from './store.ts'

/** The messages that the service itself writes to simulated phones and mailboxes, such as codes and confirmations. */
export const noun: Noun = {
  tables,
  resets: { messages: resetInbox },
  onCopied: moveLinks,
}
