import { type Noun, route } from '../../world/noun.ts'
import { show } from './actions.ts'
import { showInbox } from './contract.ts'

export const noun: Noun = { routes: [route(showInbox, show)] }
