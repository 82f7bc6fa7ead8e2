import { type Route, route } from '../../world/noun.ts'
import { show } from './actions.ts'
import { showInbox } from './contract.ts'

export const routes: readonly Route[] = [route(showInbox, show)]
