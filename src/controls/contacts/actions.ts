import { contactsWith } from '../../service/contacts/actions.ts'
import { containing } from '../../words/like.ts'
import type { Action } from '../../world/noun.ts'
import type { listContacts } from './contract.ts'

const DEFAULT_LIMIT = 50

export const list: Action<typeof listContacts> = (world, { query: { text, limit = DEFAULT_LIMIT, offset = 0 } }) =>
  contactsWith(world, text === undefined ? null : containing(text), { limit, offset })
