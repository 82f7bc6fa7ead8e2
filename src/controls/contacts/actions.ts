import { contactsWith } from '../../service/contacts/actions.ts'
import { containing } from '../../words/like.ts'
import { offsetWindow } from '../../words/page.ts'
import type { Action } from '../../world/noun.ts'
import type { listContacts } from './contract.ts'

export const list: Action<typeof listContacts> = (world, { query: { text, ...page } }) =>
  contactsWith(world, text === undefined ? null : containing(text), offsetWindow(page))
