import { searched } from '../../service/messages/actions.ts'
import { containing } from '../../words/like.ts'
import type { Action } from '../../world/noun.ts'
import type { searchMessages } from './contract.ts'

export const search: Action<typeof searchMessages> = (world, { query }) => {
  const { limit, offset, text, ...filter } = query
  return searched(world, { ...filter, ...(text === undefined ? {} : patternsOf(text)) }, { limit, offset })
}

/** Content is stored as JSON, where the text is escaped. */
const patternsOf = (text: string) => ({
  json_like: containing(JSON.stringify(text).slice(1, -1)),
  text_like: containing(text),
})
