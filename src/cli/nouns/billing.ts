import type { NounCommands } from '../generate/noun.ts'

export const commands: NounCommands<'billing'> = {
  ids: 'sandbox billing invoices lists the ids of invoices.',
  verbs: {
    balance: { money: ['free', 'reserved', 'total'] },
    balanceAt: { examples: ['sandbox billing balance-at --at 2026-01-01T00:00:00Z'] },
    usage: {
      money: ['held_amount', 'charged_amount', 'released_amount'],
      examples: ['sandbox billing usage', 'sandbox billing usage --month 2026-01'],
    },
    topup: {
      done: '{amount} added to the balance',
      money: ['amount', 'free', 'reserved', 'total'],
      positional: ['amount'],
      examples: ['sandbox billing topup 50'],
    },
    setBalance: {
      positional: ['free'],
      done: 'balance set',
      money: ['free', 'reserved', 'total'],
      examples: ['sandbox billing set-balance 0', 'sandbox billing set-balance 0.05'],
    },
    transactions: {
      columns: ['id', 'type', 'amount', 'free_after', 'reserved_after', 'message_id'],
      money: ['amount', 'free_after', 'reserved_after'],
      examples: ['sandbox billing transactions --limit 10'],
    },
    invoices: {
      columns: ['id', 'number', 'net_amount', 'vat_amount', 'total_amount', 'issued_at'],
      money: ['net_amount', 'vat_amount', 'total_amount', 'amount', 'unit_price'],
    },
    invoicePdf: { examples: ['sandbox billing invoice-pdf <id> > invoice.pdf'] },
    setAutoReload: {
      done: 'auto-reload set',
      money: ['threshold', 'amount'],
      examples: ['sandbox billing set-auto-reload --enabled --threshold 20 --amount 100'],
    },
    setAlerts: {
      done: 'alert set',
      money: ['threshold'],
      examples: ['sandbox billing set-alerts --enabled --threshold 50'],
    },
  },
}
