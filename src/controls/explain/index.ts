import { type Noun, route } from '../../world/noun.ts'
import { explain as explainAction } from './actions.ts'
import { explainMessage } from './contract.ts'

export const noun: Noun = { routes: [route(explainMessage, explainAction)] }
