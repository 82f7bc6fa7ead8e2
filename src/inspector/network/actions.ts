import { type PageAction, pageAction, withWords } from '../api/page-action.ts'

/** Actions on carriers, rules and faults. */

export const outage = (carrier: string, isOn: boolean): PageAction =>
  withWords(`carriers set ${carrier} --${isOn ? '' : 'no-'}outage`, 'carriers', 'update', carrier, { outage: isOn })
export const resetCarrier = (carrier: string): PageAction => pageAction('carriers', 'reset', carrier)

export const moveRule = (id: string, position: number): PageAction => pageAction('rules', 'update', id, { position })
export const removeRule = (id: string): PageAction => pageAction('rules', 'remove', id)
export const clearRules = (): PageAction => pageAction('rules', 'clear')

export const removeFault = (id: string): PageAction => pageAction('faults', 'remove', id)
export const clearFaults = (): PageAction => pageAction('faults', 'clear')
