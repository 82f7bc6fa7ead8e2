import { type PageAction, pageAction } from '../api/page-action.ts'

export const topUp = (amount: number): PageAction => pageAction('billing', 'topup', { amount })
