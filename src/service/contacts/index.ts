import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'
import { tables } from './store.ts'
import { contactSection } from './world-file.ts'

/** The people and addresses that messages go to (interface §2.1, §4.6). */
export const noun: Noun = { tables, routes, sections: [contactSection] }
