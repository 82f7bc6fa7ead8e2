import { type Act, act } from '../api/act.ts'

export const topUp = (amount: number): Act => act(`billing topup ${amount}`, 'billing', 'topup', { amount })
