import { type Noun, route } from '../world/noun.ts'
import { explain as explainAction } from './actions.ts'
import { explainMessage } from './contract.ts'
import { forgetMessages } from './record.ts'
import { tables } from './store.ts'

/** Why each message is what it is. */
export const explain: Noun = {
  tables,
  routes: [route(explainMessage, explainAction)],
  resets: { messages: forgetMessages },
}
