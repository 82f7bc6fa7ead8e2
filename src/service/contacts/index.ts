import { type Noun, route, routeAsync } from '../../world/noun.ts'
import { create, get, remove, update } from './actions.ts'
import { createContact, deleteContact, getContact, importContacts, updateContact } from './contract.ts'
import { importAll } from './import.ts'
import { tables } from './store.ts'
import { contactSection } from './world-file.ts'

/** The people and addresses that messages go to (interface §2.1, §4.6). */
export const noun: Noun = {
  tables,
  routes: [
    route(createContact, create),
    routeAsync(importContacts, importAll),
    route(getContact, get),
    route(updateContact, update),
    route(deleteContact, remove),
  ],
  sections: [contactSection],
}
