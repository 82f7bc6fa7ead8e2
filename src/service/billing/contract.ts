import type { About } from '../../words/about.ts'

export const about: About = {
  name: 'billing',
  group: 'Account',
  summary: 'Show balance, usage and invoices, and top up',
}

export * from './account.contract.ts'
export * from './balance.contract.ts'
export * from './invoices.contract.ts'
