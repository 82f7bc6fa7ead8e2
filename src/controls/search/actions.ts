import { searched } from '../../service/messages/actions.ts'
import type { Action } from '../../world/noun.ts'
import type { searchMessages } from './contract.ts'

export const search: Action<typeof searchMessages> = (world, { query }) => {
  const { limit, offset, text, ...filter } = query
  return searched(world, { ...filter, ...(text === undefined ? {} : patternsOf(text)) }, { limit, offset })
}

/** Content is stored as JSON, so the searched text is escaped as in JSON. */
const patternsOf = (text: string) => ({
  content_like: containing(JSON.stringify(text).slice(1, -1)),
  address_like: containing(text),
})

const containing = (text: string) => `%${text.replace(/[~%_]/g, '~$&')}%`
