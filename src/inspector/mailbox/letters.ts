/** What the inspector and the page that shows emails tell each other. */

export interface ForFrame {
  kind: 'mail-show'
  html: string
}

export type FromFrame = { kind: 'mail-ready' } | { kind: 'mail-clicked'; url: string }

export const isForFrame = (data: unknown): data is ForFrame =>
  kindOf(data) === 'mail-show' && typeof (data as ForFrame).html === 'string'

export const isFromFrame = (data: unknown): data is FromFrame =>
  kindOf(data) === 'mail-ready' ||
  (kindOf(data) === 'mail-clicked' && typeof (data as { url: unknown }).url === 'string')

const kindOf = (data: unknown): unknown => (data as { kind?: unknown } | null)?.kind
