import type { Overlay } from '../overlay.ts'

export const billing: Record<string, Overlay> = {
  'billing.topup': { positional: ['amount'], examples: ['sandbox billing topup 50'] },
  'billing.transactions': { columns: ['id', 'type', 'amount', 'free_after', 'reserved_after', 'message_id'] },
  'billing.invoices': { columns: ['id', 'number', 'net_amount', 'vat_amount', 'total_amount', 'issued_at'] },
  'billing.invoicePdf': { examples: ['sandbox billing invoice-pdf <id> > invoice.pdf'] },
  'billing.setAutoReload': { examples: ['sandbox billing set-auto-reload --enabled --threshold 20 --amount 100'] },
  'billing.setAlerts': { examples: ['sandbox billing set-alerts --enabled --threshold 50'] },
}
