import type { Item, ItemKind } from '../../controls/evidence/item.ts'

export interface Filter {
  text: string
  /** Hidden kinds. */
  hidden: readonly ItemKind[]
  /** Shows this message only; empty for all. */
  message: string
  onlyBad: boolean
}

export const NO_FILTER: Filter = { text: '', hidden: [], message: '', onlyBad: false }

export function isShown(item: Item, { text, hidden, message, onlyBad }: Filter): boolean {
  if (hidden.includes(item.kind)) return false
  if (message !== '' && item.message_id !== message) return false
  if (onlyBad && item.tone !== 'bad') return false
  return text === '' || textOf(item).includes(text.toLowerCase())
}

const textOf = ({ title, facts, bodies }: Item): string =>
  [title, ...[...facts, ...bodies].map(({ label, text }) => `${label} ${text}`)].join('\n').toLowerCase()
