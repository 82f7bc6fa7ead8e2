import { type Route, route } from '../world/noun.ts'
import { showInbox } from './contract.ts'
import { show } from './show.ts'

export const routes: readonly Route[] = [route(showInbox, show)]
