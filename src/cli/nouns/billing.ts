import type { NounCommands } from '../noun.ts'

export const commands: NounCommands<'billing'> = {
  verbs: {
    topup: { positional: ['amount'], examples: ['sandbox billing topup 50'] },
    transactions: { columns: ['id', 'type', 'amount', 'free_after', 'reserved_after', 'message_id'] },
    invoices: { columns: ['id', 'number', 'net_amount', 'vat_amount', 'total_amount', 'issued_at'] },
    invoicePdf: { examples: ['sandbox billing invoice-pdf <id> > invoice.pdf'] },
    setAutoReload: { examples: ['sandbox billing set-auto-reload --enabled --threshold 20 --amount 100'] },
    setAlerts: { examples: ['sandbox billing set-alerts --enabled --threshold 50'] },
  },
}
