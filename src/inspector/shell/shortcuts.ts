import { signal } from '@preact/signals'

/** The open dialog, if any. */
export const openDialog = signal<'palette' | 'help' | undefined>(undefined)

export function showDialog(name: typeof openDialog.value) {
  openDialog.value = name
}

export const SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'Open the command palette'],
  ['?', 'Show this help'],
  ['/', 'Go to the search field'],
  ['j  k', 'Next or previous row of a list'],
  ['↓  ↑', 'Next or previous message of the inbox'],
  ['Enter', 'Open the row; in the inbox, go to the message beside it'],
  ['Esc', 'Leave a field, or close a dialog or the selected row; the focus goes back'],
  ['c', 'Copy the command at the foot'],
  ['g, then a letter', 'Open a page:'],
]
