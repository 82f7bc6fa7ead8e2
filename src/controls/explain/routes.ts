import { type Route, route } from '../../world/noun.ts'
import { explain as explainAction } from './actions.ts'
import { explainMessage } from './contract.ts'

export const routes: readonly Route[] = [route(explainMessage, explainAction)]
